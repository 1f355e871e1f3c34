import type { Scopes } from '../../base/caller.ts';

/** Whether somebody with these scopes changes nothing, and proposes nothing either. */
export function onlyReads({ effects }: Pick<Scopes, 'effects'>): boolean {
  return effects.every((right) => right === 'read');
}
