import { type Right, rightTo } from '../../base/caller.ts';

/** What a model is told that may only propose changes; nothing for others. */
export function proposingRule(rights: readonly Right[]): readonly string[] {
  const all = rightTo('write', rights) === 'propose';
  if (!all && rightTo('destroy', rights) !== 'propose') return [];
  return [
    `${all ? 'Changes' : 'Deletions and undos'} are only proposed here: the answer names the proposal, and the owner of the vault decides later. Do not repeat the call, and do not wait.`,
  ];
}
