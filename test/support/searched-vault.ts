import type { IndexStore } from '../../src/engine/ports/index-store.ts';
import type { NoteRecord } from '../../src/engine/ports/records.ts';
import type { Query } from '../../src/engine/ports/search-query.ts';
import type { View } from '../../src/engine/ports/view.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { foldText } from '../../src/engine/text/fold-text.ts';
import { openSqliteIndex } from '../../src/sqlite/index/sqlite-index-store.ts';
import { fill, note, text } from './index-records.ts';

/** A note of a vault that is searched: its text, and facts where it has any. */
export type SearchedNote =
  | string
  | { readonly body: string; readonly facts: NonNullable<Parameters<typeof note>[2]> };

/** An index in memory of notes by their paths, and of files that are known by name only. */
export async function searchedVault(
  notes: Readonly<Record<string, SearchedNote>>,
  files: readonly string[] = [],
): Promise<IndexStore> {
  const store = await openSqliteIndex({ file: ':memory:' });
  const records: NoteRecord[] = [];
  const texts = Object.entries(notes).map(([path, held]) => {
    const { body, facts } = typeof held === 'string' ? { body: held, facts: {} } : held;
    records.push(note(path, [], facts));
    return text(path, foldText(body));
  });
  await fill(store, { files, notes: records, texts });
  return store;
}

/** The paths that a search finds, in order. */
export async function foundPaths(
  store: IndexStore,
  query: Query,
  view: View = wholeVault,
): Promise<string[]> {
  const { items, total } = await store.search(view, query, { limit: 1_000, offset: 0 });
  if (items.length !== total) throw new Error(`${items.length} of ${total} are shown`);
  return items.map(({ path }) => path);
}
