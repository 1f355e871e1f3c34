/**
 * What happens when a change adds a tag that the vault does not have, in properties or in text.
 * `off`: it is written. `warn`: it is written, and the answer names it. `enforce` and `strict`: it is
 * refused.
 */
export const tagPolicies = ['off', 'warn', 'enforce', 'strict'] as const;
export type TagPolicy = (typeof tagPolicies)[number];
