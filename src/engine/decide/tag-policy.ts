import { oneLine } from '../../base/one-line.ts';

/**
 * What happens when a change adds a tag that the vault does not have, in properties or in text.
 * `off`: it is written. `warn`: it is written, and the answer names it. `enforce` and `strict`: it is
 * refused, unless the user agrees.
 */
export const tagPolicies = ['off', 'warn', 'enforce', 'strict'] as const;
export type TagPolicy = (typeof tagPolicies)[number];

/** Whether tags that the vault does not have are refused. */
export function refusesNewTags(policy: TagPolicy): boolean {
  return policy === 'enforce' || policy === 'strict';
}

/** Whether a note with the tag `claude` and without a description is refused. */
export function refusesUndescribed(policy: TagPolicy): boolean {
  return policy === 'strict';
}

/** A tag as part of a sentence. */
export function shownTag(tag: string): string {
  return oneLine(tag, 100);
}
