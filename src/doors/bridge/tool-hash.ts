import { createHash } from 'node:crypto';

/** A tool as Bridge v1 lists it. */
interface BridgeTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * The order of names. The reference implementation sorts by the language of the machine; we always
 * sort as in English, so that the hash stays the same when a server moves to another machine.
 */
const nameOrder = new Intl.Collator('en');

/** The tools in the order in which Bridge v1 lists and hashes them. */
export function inNameOrder(tools: readonly BridgeTool[]): readonly BridgeTool[] {
  return [...tools].sort((a, b) => nameOrder.compare(a.name, b.name));
}

/**
 * The hash of a set of tools, in any order; identical to that of the reference implementation on a
 * machine whose language sorts these names as English does.
 */
export function toolHash(tools: readonly BridgeTool[]): string {
  const hashed = inNameOrder(tools).map(({ name, description, inputSchema }) =>
    withSortedKeys({ name, description, inputSchema }),
  );
  return createHash('sha256').update(JSON.stringify(hashed)).digest('hex');
}

/**
 * The same value with the keys of every object sorted, as far as JavaScript allows: keys that are
 * whole numbers come first, and `__proto__` is dropped, as in the reference implementation.
 */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withSortedKeys(inner)]));
}
