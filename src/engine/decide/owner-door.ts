import type { Caller } from '../../base/caller.ts';

/**
 * Whether a call is one of the owner's own commands. These see what the owner hides from agents, and
 * each is a process of its own.
 */
export function isOwner({ door }: Pick<Caller, 'door'>): boolean {
  return door === 'cli';
}
