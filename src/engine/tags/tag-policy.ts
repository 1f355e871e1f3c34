/**
 * What happens to a tag that the vault does not have: nothing (`off`), it is written and reported
 * (`warn`), it is refused in properties and reported in text (`enforce`), it is refused (`strict`).
 */
export const tagPolicies = ['off', 'warn', 'enforce', 'strict'] as const;
export type TagPolicy = (typeof tagPolicies)[number];
