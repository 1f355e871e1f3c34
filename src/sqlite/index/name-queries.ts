import type { VaultPath } from '../../base/vault-path.ts';
import { foldName, stemOf } from '../../base/vault-path.ts';
import type { IndexStore, NamedRow, Page } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { makeSees, seesAll } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import type { NameBlock, NameList } from './name-list.ts';
import { pathsOf } from './name-list.ts';

/** A query for a part of a name is matched by its first words, at most this many. */
const wordsMax = 16;
/** How many ranks `makeRank` gives. */
const rankCount = 4;

/**
 * See `IndexStore.named`. An exact name is looked up through the SQL index on `file.name`; aliases and
 * parts of names are searched in the list in memory.
 */
export function named(
  list: NameList,
  view: View,
  request: Parameters<IndexStore['named']>[1],
): Page<NamedRow> {
  const written = foldName(request.query).trim().replace(/\s+/g, ' ');
  const query = written.replace(/\.md$/, '');
  if (query === '') return { total: 0, items: [] };
  return list.read((blocks) => {
    const { connection } = list;
    const found =
      request.match === 'exact'
        ? exactlyNamed(connection, view, blocks, { query, written })
        : admitted(connection, view, partlyNamed(blocks, query));
    const page = found.slice(request.offset, request.offset + request.limit);
    return { total: found.length, items: page.map((file) => namedRow(connection, file)) };
  });
}

interface FoundFile {
  readonly id: number;
  /** The `seq` of each alias that matched; empty if the name matched. */
  readonly aliases: readonly number[];
}

function namedRow(connection: IndexConnection, { id, aliases }: FoundFile): NamedRow {
  const [path = '' as VaultPath] = pathsOf(connection, [id]);
  return {
    path,
    aliases: aliases.map(
      (seq) =>
        connection.get<{ alias: string }>(
          'SELECT alias FROM alias WHERE file = ? AND seq = ?',
          id,
          seq,
        )?.alias ?? '',
    ),
  };
}

/** Those of the files that the view admits. Paths are read only for a restricted view. */
function admitted(connection: IndexConnection, view: View, found: readonly FoundFile[]) {
  if (seesAll(view)) return found;
  const sees = makeSees(view);
  const paths = pathsOf(
    connection,
    found.map(({ id }) => id),
  );
  return found.filter((_, at) => sees(paths[at] ?? ''));
}

/** The files with exactly this name, in path order, then those with exactly this alias. */
function exactlyNamed(
  connection: IndexConnection,
  view: View,
  blocks: readonly NameBlock[],
  { query, written }: { readonly query: string; readonly written: string },
): readonly FoundFile[] {
  const names = [written, `${query}.md`, `${query}.canvas`, `${query}.base`];
  const files = connection
    .all<{ id: number; kind: string }>(
      `SELECT id, kind FROM file WHERE name IN (SELECT value FROM json_each(?)) ORDER BY path`,
      JSON.stringify(names),
    )
    .filter(({ kind }) => kind !== 'attachment');
  const byName = new Set(files.map(({ id }) => id));
  const byAlias = blocks
    .flatMap((block) => aliasesMatching(block, query, (alias) => (alias === query ? 0 : undefined)))
    .filter(({ id }) => !byName.has(id));
  return admitted(connection, view, [...files.map(({ id }) => ({ id, aliases: [] })), ...byAlias]);
}

/** The files whose name or alias contains all words of the query, best rank first. */
function partlyNamed(blocks: readonly NameBlock[], query: string): readonly FoundFile[] {
  const words = query.split(' ').slice(0, wordsMax);
  const rank = makeRank(query, words);
  // Test for the longest word first, since it is in the fewest names.
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best));
  // Two lists for each rank, found by name before found by alias, so that nothing has to be sorted.
  const byRank: FoundFile[][] = Array.from({ length: 2 * rankCount }, () => []);
  for (const block of blocks) {
    const byName = new Set<number>();
    block.names.eachContaining(longest, (at) => {
      const kind = block.kinds[at];
      if (kind === 'attachment') return;
      const name = block.names.at(at);
      // The names of notes have no extension here (see `NameBlock`).
      const nameRank = rank(kind === 'note' ? name : stemOf(name));
      if (nameRank === undefined) return;
      const id = block.ids[at] ?? 0;
      byName.add(id);
      byRank[2 * nameRank]?.push({ id, aliases: [] });
    });
    for (const { rank: aliasRank, ...file } of aliasesMatching(block, longest, rank)) {
      // A note that is found by its name is not listed again by an alias.
      if (!byName.has(file.id)) byRank[2 * aliasRank + 1]?.push(file);
    }
  }
  return byRank.flat();
}

/**
 * The files with an alias that contains `text` and has a rank, each with its best rank and all such
 * aliases.
 */
function aliasesMatching(
  block: NameBlock,
  text: string,
  rank: (alias: string) => number | undefined,
): readonly (FoundFile & { readonly rank: number })[] {
  const byFile = new Map<number, { id: number; rank: number; aliases: number[] }>();
  block.aliases.eachContaining(text, (at) => {
    const aliasRank = rank(block.aliases.at(at));
    if (aliasRank === undefined) return;
    const id = block.ids[block.aliasFile[at] ?? 0] ?? 0;
    const known = byFile.get(id) ?? { id, rank: aliasRank, aliases: [] };
    known.rank = Math.min(known.rank, aliasRank);
    known.aliases.push(block.aliasSeq[at] ?? 0);
    byFile.set(id, known);
  });
  return Array.from(byFile.values());
}

/**
 * Ranks a folded name: 0 it is the query, 1 it begins with it, 2 a later word begins with it, 3 it has
 * all words of the query somewhere. Undefined when it lacks a word.
 */
function makeRank(query: string, words: readonly string[]): (name: string) => number | undefined {
  return (name) => {
    if (!words.every((word) => name.includes(word))) return undefined;
    if (name === query) return 0;
    if (name.startsWith(query)) return 1;
    return beginsWord(name, query) ? 2 : 3;
  };
}

/** Whether the query stands in the name at the beginning of a word. */
function beginsWord(name: string, query: string): boolean {
  for (let at = name.indexOf(query, 1); at !== -1; at = name.indexOf(query, at + 1)) {
    if (!/[\p{L}\p{N}\p{M}]/u.test(name[at - 1] ?? '')) return true;
  }
  return false;
}

/** See `IndexStore.pathsFrom`. */
export function pathsFrom(
  list: NameList,
  view: View,
  prefix: string,
  limit: number,
): Page<VaultPath> {
  const folded = foldName(prefix);
  return list.read((blocks) => {
    const matching = blocks.flatMap((block) => notesFrom(block, folded));
    const found = admitted(list.connection, view, matching);
    const ids = found.slice(0, limit).map(({ id }) => id);
    return { total: found.length, items: pathsOf(list.connection, ids) };
  });
}

/** The notes of a block whose folded paths begin with a text. */
function notesFrom(block: NameBlock, text: string): readonly FoundFile[] {
  const found: FoundFile[] = [];
  // For each folder, what the file name must begin with; undefined if no file in it can match.
  const rests = Array.from({ length: block.folders.size }, (_, folder) => {
    const path = block.folders.at(folder);
    if (path.startsWith(text)) return '';
    return text.startsWith(path) ? text.slice(path.length) : undefined;
  });
  block.ids.forEach((id, at) => {
    const rest = rests[block.folderOf[at] ?? 0];
    if (rest === undefined || block.kinds[at] !== 'note') return;
    if (rest === '' || nameBegins(block, at, rest)) found.push({ id, aliases: [] });
  });
  return found;
}

/** Whether a note's name begins with a text, which may go on into `.md`; the list has no extensions. */
function nameBegins(block: NameBlock, at: number, text: string): boolean {
  return block.names.lengthAt(at) >= text.length
    ? block.names.at(at).startsWith(text)
    : `${block.names.at(at)}.md`.startsWith(text);
}
