/**
 * Throws when a condition is false that only a bug of ours can break. For anything else:
 * `VaultError`.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
