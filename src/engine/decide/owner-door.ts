import type { Caller, Door } from '../../base/caller.ts';

/** The doors that only the owner comes through. */
export const ownerDoors: readonly Door[] = ['cli', 'console'];

/**
 * Whether a call is the owner's own: a command, or a click in the console. These see what the owner
 * hides from agents.
 */
export function isOwner({ door }: Pick<Caller, 'door'>): boolean {
  return ownerDoors.includes(door);
}
