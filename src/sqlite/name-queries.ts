import type { VaultPath } from '../base/vault-path.ts';
import { foldName, stemOf } from '../base/vault-path.ts';
import { fileKind } from '../engine/file-kind.ts';
import type { IndexStore, NamedRow, Page } from '../engine/index-store.ts';
import type { View } from '../engine/view.ts';
import { makeSees } from '../engine/view.ts';
import type { Connection } from './connection.ts';
import { filesByName } from './file-queries.ts';
import { aliasList, pathList } from './path-list.ts';

const wordsMax = 16;

/** See `IndexStore.named`. An exact name is looked up, a part of one costs a look at every name. */
export function named(
  connection: Connection,
  view: View,
  request: Parameters<IndexStore['named']>[1],
): Page<NamedRow> {
  const written = foldName(request.query).trim().replace(/\s+/g, ' ');
  const query = written.replace(/\.md$/, '');
  if (query === '') return { total: 0, items: [] };
  return connection.read(() => {
    const found =
      request.match === 'exact'
        ? exactlyNamed(connection, view, { query, written })
        : partlyNamed(connection, view, query);
    const { limit, offset } = request;
    return { total: found.length, items: found.slice(offset, offset + limit) };
  });
}

function exactlyNamed(
  connection: Connection,
  view: View,
  { query, written }: { readonly query: string; readonly written: string },
): NamedRow[] {
  const names = [written, `${query}.md`, `${query}.canvas`, `${query}.base`];
  const files = filesByName(connection, view, names).filter(({ kind }) => kind !== 'attachment');
  const aliases = aliasesMatching(connection, view, (alias) => (alias === query ? 0 : undefined));
  const byName = new Set(files.map(({ path }) => path));
  return [
    ...files.map(({ path }) => ({ path, aliases: [] })),
    ...aliases.map(({ row }) => row).filter(({ path }) => !byName.has(path)),
  ];
}

function partlyNamed(connection: Connection, view: View, query: string): NamedRow[] {
  const sees = makeSees(view);
  const rank = makeRank(query);
  // Names and aliases of each rank lie beside each other, so nothing has to be sorted.
  const ranked: NamedRow[][] = Array.from({ length: 2 * ranks }, () => []);
  const best = new Map<VaultPath, number>();
  const { paths, folded } = pathList(connection);
  folded.forEach((name, at) => {
    const path = paths[at];
    if (path === undefined || fileKind(name) === 'attachment') return;
    const found = rank(stemOf(name));
    if (found === undefined || !sees(path)) return;
    best.set(path, found);
    ranked[2 * found]?.push({ path, aliases: [] });
  });
  for (const { rank: found, row } of aliasesMatching(connection, view, rank)) {
    // A note that its name shows as well or better is not shown by an alias.
    if (!best.has(row.path)) ranked[2 * found + 1]?.push(row);
  }
  return ranked.flat();
}

/** The files with aliases that have a rank, in path order: the best rank, and all that have one. */
function aliasesMatching(
  connection: Connection,
  view: View,
  rank: (alias: string) => number | undefined,
): { readonly rank: number; readonly row: NamedRow }[] {
  const sees = makeSees(view);
  const found = new Map<VaultPath, { rank: number; aliases: string[] }>();
  for (const [path, alias] of aliasList(connection)) {
    const ranked = rank(foldName(alias));
    if (ranked === undefined || !sees(path)) continue;
    const known = found.get(path) ?? { rank: ranked, aliases: [] };
    known.rank = Math.min(known.rank, ranked);
    known.aliases.push(alias);
    found.set(path, known);
  }
  return Array.from(found, ([path, { rank: best, aliases }]) => ({
    rank: best,
    row: { path, aliases },
  }));
}

const ranks = 4;

/** How well a folded name matches: it is the query, begins so, has a word that does, or holds it. */
function makeRank(query: string): (name: string) => number | undefined {
  const [first = '', ...others] = query.split(' ').slice(0, wordsMax);
  return (name) => {
    if (!name.includes(first) || !others.every((word) => name.includes(word))) return undefined;
    if (name === query) return 0;
    if (name.startsWith(query)) return 1;
    return beginsWord(name, query) ? 2 : 3;
  };
}

function beginsWord(name: string, query: string): boolean {
  for (let at = name.indexOf(query, 1); at !== -1; at = name.indexOf(query, at + 1)) {
    if (!/[\p{L}\p{N}\p{M}]/u.test(name[at - 1] ?? '')) return true;
  }
  return false;
}

/** See `IndexStore.pathsFrom`. */
export function pathsFrom(
  connection: Connection,
  view: View,
  prefix: string,
  limit: number,
): Page<VaultPath> {
  const folded = foldName(prefix);
  const sees = makeSees(view);
  const list = pathList(connection);
  const found = list.paths.filter((path, at) => {
    const other = list.folded[at] ?? '';
    return other.startsWith(folded) && fileKind(other) === 'note' && sees(path);
  });
  return { total: found.length, items: found.slice(0, limit) };
}
