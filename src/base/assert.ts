/** Fails on a bug of ours. What the world does wrong is a `VaultError` instead. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
