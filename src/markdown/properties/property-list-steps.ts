import type { PropertyValue } from '../facts/facts.ts';
import { keptEntries } from './property-equal.ts';

/** One step from a list to another. `old` is the entry it is about, or before which one is added. */
export type ListStep =
  | { readonly kind: 'keep' | 'remove'; readonly old: number }
  | { readonly kind: 'replace' | 'add'; readonly old: number; readonly value: PropertyValue };

/**
 * The steps that turn one list into another, in order. As many entries as possible stay; between
 * two that stay, old ones are replaced one by one as long as both sides have some, and only then
 * are others added or removed. So what stands before an added entry is never a removed one.
 */
export function listSteps(
  before: readonly PropertyValue[],
  after: readonly PropertyValue[],
): ListStep[] {
  const kept = keptEntries(before, after);
  const stays = new Set(kept);
  const steps: ListStep[] = [];
  let old = 0;
  for (const [next, value] of after.entries()) {
    const keeps = kept[next];
    if (keeps === undefined) {
      const replaces = old < before.length && !stays.has(old);
      steps.push({ kind: replaces ? 'replace' : 'add', old, value });
      if (replaces) old++;
      continue;
    }
    for (; old < keeps; old++) steps.push({ kind: 'remove', old });
    steps.push({ kind: 'keep', old });
    old++;
  }
  for (; old < before.length; old++) steps.push({ kind: 'remove', old });
  return steps;
}
