import { createHash } from 'node:crypto';

/** A tool as Bridge v1 lists it. */
export interface BridgeTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * The order of names that the reference has in English and most other languages. It takes that of
 * the machine; ours is the same everywhere, or moving a server would look like other tools.
 */
const names = new Intl.Collator('en');

/** Tools in the order that Bridge v1 lists and hashes them in. */
export function inNameOrder(tools: readonly BridgeTool[]): readonly BridgeTool[] {
  return [...tools].sort((a, b) => names.compare(a.name, b.name));
}

/** The hash of a set of tools, bit for bit that of the reference, whatever order they come in. */
export function toolHash(tools: readonly BridgeTool[]): string {
  const hashed = inNameOrder(tools).map(({ name, description, inputSchema }) =>
    withSortedKeys({ name, description, inputSchema }),
  );
  return createHash('sha256').update(JSON.stringify(hashed)).digest('hex');
}

/**
 * The same value with the keys of every object in order, as far as an object can hold one: keys that
 * are whole numbers come first, and `__proto__` is lost, as it is in the reference.
 */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withSortedKeys(inner)]));
}
