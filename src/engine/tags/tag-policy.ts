/**
 * What happens when a change adds a tag that the vault does not have. `off`: it is written. `warn`:
 * it is written, and the answer names it. `enforce`: it is refused in properties; in text it is
 * written, and the answer names it. `strict`: it is refused everywhere.
 */
export const tagPolicies = ['off', 'warn', 'enforce', 'strict'] as const;
export type TagPolicy = (typeof tagPolicies)[number];
