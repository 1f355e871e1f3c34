import { type Effect, type Right, rightTo } from '../../base/caller.ts';

const changing: readonly Effect[] = ['write', 'destroy'];

/** Whether a caller can only propose some of the changes. */
export function mayPropose(rights: readonly Right[]): boolean {
  return changing.some((effect) => rightTo(effect, rights) === 'propose');
}

/** What a model is told that may only propose changes; nothing for others. */
export function proposingRule(rights: readonly Right[]): readonly string[] {
  if (!mayPropose(rights)) return [];
  const all = rightTo('write', rights) === 'propose';
  return [
    `${all ? 'Changes' : 'Deletions and undos'} are only proposed here: the answer names the proposal, and the owner of the vault decides later. Do not repeat the call, and do not wait; list_proposals says later what became of it.`,
  ];
}
