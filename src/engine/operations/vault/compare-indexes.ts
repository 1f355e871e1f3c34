import type { IndexStore } from '../../ports/index-store.ts';

/** A line of `IndexStore.dump` that only one of the two indexes has. */
export interface IndexDifference {
  /** `kept` is the vault's own index, `rebuilt` the one built for the comparison. */
  readonly in: 'kept' | 'rebuilt';
  readonly line: string;
}

/** Returns the lines that one of two indexes has and the other lacks; none when they are equal. */
export async function compareIndexes(
  kept: IndexStore,
  rebuilt: IndexStore,
): Promise<readonly IndexDifference[]> {
  const ours = await linesOf(kept);
  const theirs = await linesOf(rebuilt);
  return [
    ...Array.from(ours).flatMap((line) =>
      theirs.has(line) ? [] : [{ in: 'kept' as const, line }],
    ),
    ...Array.from(theirs).flatMap((line) =>
      ours.has(line) ? [] : [{ in: 'rebuilt' as const, line }],
    ),
  ];
}

async function linesOf(store: IndexStore): Promise<Set<string>> {
  const all = new Set<string>();
  await store.dump((lines) => {
    for (const line of lines) all.add(line);
  });
  return all;
}
