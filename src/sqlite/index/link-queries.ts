import { sortByBytes } from '../../base/byte-order.ts';
import { fileNameOf, foldName, type VaultPath } from '../../base/vault-path.ts';
import { linkSegments, resolveLink, unresolvedName } from '../../engine/links/resolve-link.ts';
import type {
  BrokenRow,
  FolderPage,
  LinkRow,
  Page,
  PageRequest,
  UnresolvedRow,
} from '../../engine/ports/index-store.ts';
import type { NoteDetail } from '../../engine/ports/note-detail.ts';
import { unpackLinks } from '../../engine/ports/note-detail.ts';
import type { View } from '../../engine/ports/view.ts';
import { makeSees, seesAll } from '../../engine/ports/view.ts';
import { folderRange } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { lacksContents } from '../tables/index-schema.ts';
import { keptPaths, keptUnresolved, sourcesMax } from './kept-link-queries.ts';

/** A file at either end of a link. */
interface LinkedFile {
  readonly id: number;
  readonly path: VaultPath;
}

/**
 * See `IndexStore.linksFrom`. A link to a file that the view hides looks like a link without a
 * target, so that callers cannot find out whether the file exists.
 */
export function linksFrom(connection: IndexConnection, view: View, path: VaultPath): LinkRow[] {
  const sees = makeSees(view);
  if (!sees(path)) return [];
  return connection.read(() => {
    const source = connection.get<LinkedFile>('SELECT id, path FROM file WHERE path = ?', path);
    return source === undefined ? [] : linksOf(connection, sees, source);
  });
}

/** See `IndexStore.linkPage`. */
export function linkPage(
  connection: IndexConnection,
  view: View,
  path: VaultPath,
  { lead, limit, offset }: PageRequest & { readonly lead?: boolean },
): Page<LinkRow> {
  const all = linksFrom(connection, view, path).filter(
    ({ target }) => lead === undefined || (target !== undefined) === lead,
  );
  return { total: all.length, items: all.slice(offset, offset + limit) };
}

/** See `IndexStore.linksTo`: by the path of the source, then in the order of its links. */
export function linksTo(
  connection: IndexConnection,
  view: View,
  path: VaultPath,
  page: PageRequest,
): Page<LinkRow> {
  const sees = makeSees(view);
  if (!sees(path)) return { total: 0, items: [] };
  connection.tryMakeLateIndexes();
  return connection.read(() => {
    const target = connection.get<LinkedFile>('SELECT id, path FROM file WHERE path = ?', path);
    if (target === undefined) return { total: 0, items: [] };
    let total = 0;
    const items: LinkRow[] = [];
    for (const source of sourcesOf(connection, target)) {
      if (!sees(source.path)) continue;
      const first = total;
      total += source.count;
      if (total <= page.offset || first >= page.offset + page.limit) continue;
      const links = linksOf(connection, sees, source).filter((link) => link.target === path);
      items.push(
        ...links.slice(Math.max(0, page.offset - first), page.offset + page.limit - first),
      );
    }
    return { total, items };
  });
}

/** See `IndexStore.sourcesNaming`. Costs a lookup for each link that contains one of the names. */
export function sourcesNaming(
  connection: IndexConnection,
  segments: readonly string[],
): VaultPath[] {
  connection.tryMakeLateIndexes();
  return connection
    .all<{ path: VaultPath }>(
      `SELECT DISTINCT f.path FROM json_each(?) j CROSS JOIN ref r ON r.segment = j.value
       CROSS JOIN edge e ON e.ref = r.id CROSS JOIN file f ON f.id = e.source ORDER BY f.path`,
      JSON.stringify(segments),
    )
    .map(({ path }) => path);
}

/** See `IndexStore.linksMissing`. Costs a lookup for each link that contains one of the names. */
export function linksMissing(
  connection: IndexConnection,
  view: View,
  paths: readonly VaultPath[],
): number[] {
  connection.tryMakeLateIndexes();
  const sees = makeSees(view);
  const rows = connection.all<{ path: string; source: VaultPath; count: number }>(
    `SELECT r.path, f.path AS source, e.count FROM json_each(?) j CROSS JOIN ref r ON r.segment = j.value
     CROSS JOIN edge e ON e.ref = r.id AND e.target IS NULL CROSS JOIN file f ON f.id = e.source`,
    JSON.stringify(Array.from(new Set(paths.flatMap(linkSegments)))),
  );
  const counts = new Map<string, number>();
  const byName = new Map<string, { path: VaultPath }[]>();
  for (const path of paths) {
    const name = foldName(fileNameOf(path));
    byName.set(name, [...(byName.get(name) ?? []), { path }]);
  }
  for (const { path, source, count } of rows) {
    if (!sees(source)) continue;
    const found = resolveLink({ path, source }, (name) => byName.get(name) ?? []);
    if (found !== undefined) counts.set(found.path, (counts.get(found.path) ?? 0) + count);
  }
  return paths.map((path) => counts.get(path) ?? 0);
}

/** See `IndexStore.unresolved`: in the order of the names. */
export function unresolved(
  connection: IndexConnection,
  view: View,
  page: PageRequest,
): Page<UnresolvedRow> {
  connection.tryMakeLateIndexes();
  const hidden = connection.hiddenBy(view);
  if (hidden !== undefined && connection.ensureKept('graph')) {
    const unknown = connection.hiddenBy({ ...view, exclude: [] }) ?? '[]';
    return keptUnresolved(connection, { hidden, unknown }, page);
  }
  const { scope, values, known, condition } = missingEdges(connection, view);
  const missed = { sees: makeSees(view), knows: makeSees(known) };
  return connection.read(() => {
    const refs = connection.all<{ id: number; path: string; count: number }>(
      `${scope} SELECT r.id, r.path, e.count
       FROM (SELECT e.ref, sum(e.count) AS count FROM edge e WHERE ${condition} GROUP BY e.ref) e
       CROSS JOIN ref r ON r.id = e.ref`,
      ...values,
    );
    const groups = new Map<string, { count: number; refs: number[] }>();
    for (const { id, path, count } of refs) {
      const name = unresolvedName(path);
      if (name === '') continue;
      const group = groups.get(name) ?? { count: 0, refs: [] };
      group.count += count;
      group.refs.push(id);
      groups.set(name, group);
    }
    const names = sortByBytes(Array.from(groups.keys()));
    const items = names.slice(page.offset, page.offset + page.limit).map((link): UnresolvedRow => {
      const group = groups.get(link) ?? { count: 0, refs: [] };
      return { link, count: group.count, sources: missedFrom(connection, missed, group.refs) };
    });
    return { total: names.length, items };
  });
}

/** The SQL condition for links `e` of the view that lead to no file, and what it needs before it. */
function missingEdges(connection: IndexConnection, view: View) {
  // A link to a file that Obsidian's settings exclude still counts as resolved. A link to a file that
  // the caller may not see counts as unresolved.
  const { exclude: _, within: __, ...seen } = view;
  const known: View = { ...seen, exclude: [] };
  const hidden = connection.hiddenBy(view);
  if (hidden !== undefined) {
    const ids = 'AS MATERIALIZED (SELECT value AS id FROM json_each(?))';
    return {
      scope: `WITH hidden ${ids}, unknown ${ids}`,
      values: [hidden, connection.hiddenBy(known) ?? '[]'],
      known,
      condition: `e.source NOT IN (SELECT id FROM hidden)
        AND (e.target IS NULL OR e.target IN (SELECT id FROM unknown))`,
    };
  }
  const scope = connection.seesIds(view);
  const target = '(SELECT path FROM file WHERE id = e.target)';
  const condition = `${scope.sees('e.source')} AND (e.target IS NULL${
    seesAll(known) ? '' : ` OR NOT ${connection.sees(known, target)}`
  })`;
  return { scope: scope.with, values: [], known, condition };
}

/**
 * See `IndexStore.broken`. Reads every edge that leads to no file, and the links of the files on the
 * page.
 */
export function broken(
  connection: IndexConnection,
  view: View,
  { limit, offset }: PageRequest,
): Page<BrokenRow> {
  connection.tryMakeLateIndexes();
  const { scope, values, known, condition } = missingEdges(connection, view);
  const knows = makeSees(known);
  return connection.read(() => {
    const edges = connection
      .all<LinkedFile & { ref: string; count: number }>(
        `${scope} SELECT f.id, f.path, r.path AS ref, e.count FROM edge e
         CROSS JOIN ref r ON r.id = e.ref CROSS JOIN file f ON f.id = e.source WHERE ${condition}`,
        ...values,
      )
      .map((edge) => ({ ...edge, link: unresolvedName(edge.ref) }))
      .filter(({ link }) => link !== '')
      .sort((a, b) => byText(a.link, b.link) || byText(a.path, b.path) || byText(a.ref, b.ref));
    const items: BrokenRow[] = [];
    let total = 0;
    for (const { link, ref, count, ...source } of edges) {
      const first = total;
      total += count;
      if (total <= offset || first >= offset + limit) continue;
      const links = linksOf(connection, knows, source).filter(({ path }) => path === ref);
      for (const { line } of links.slice(Math.max(0, offset - first), offset + limit - first)) {
        items.push({ link, source: source.path, line });
      }
    }
    return { total, items };
  });
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The first few files, in path order, in which one of these refs leads to no file that `knows` admits.
 */
function missedFrom(
  connection: IndexConnection,
  { sees, knows }: Readonly<Record<'sees' | 'knows', (path: string) => boolean>>,
  refs: readonly number[],
): VaultPath[] {
  const rows = connection.all<{ path: VaultPath; target: string | null }>(
    `SELECT f.path, t.path AS target FROM json_each(?) j
     CROSS JOIN edge e ON e.ref = j.value CROSS JOIN file f ON f.id = e.source
     LEFT JOIN file t ON t.id = e.target ORDER BY f.path`,
    JSON.stringify(refs),
  );
  const sources = new Set<VaultPath>();
  for (const { path, target } of rows) {
    if (sources.size === sourcesMax) break;
    if (sees(path) && (target === null || !knows(target))) sources.add(path);
  }
  return Array.from(sources);
}

/** See `IndexStore.orphans`: links from the note itself and from hidden files do not count. */
export function orphans(
  connection: IndexConnection,
  view: View,
  page: FolderPage,
): Page<VaultPath> {
  connection.tryMakeLateIndexes();
  const hidden = connection.hiddenBy(view);
  if (hidden !== undefined && connection.ensureKept('graph'))
    return keptPaths(connection, 'orphan', hidden, page);
  const scope = connection.seesIds(view);
  return pathPage(connection, {
    with: scope.with,
    condition: `f.kind = 'note' AND ${scope.sees('f.id')} AND NOT ${isLinked(view, scope)}`,
    page,
  });
}

/** See `IndexStore.unused`: links from hidden files do not count, as in `orphans`. */
export function unused(connection: IndexConnection, view: View, page: FolderPage): Page<VaultPath> {
  connection.tryMakeLateIndexes();
  const scope = connection.seesIds(view);
  return pathPage(connection, {
    with: scope.with,
    condition: `f.kind = 'attachment' AND ${scope.sees('f.id')} AND NOT ${isLinked(view, scope)}`,
    page,
  });
}

/** Whether a file that the view admits links to the file `f`, other than that file itself. */
function isLinked(view: View, scope: ReturnType<IndexConnection['seesIds']>): string {
  // For a restricted view, all link targets are collected once: with EXISTS, SQLite would compute
  // the set of admitted files again for each file.
  return seesAll(view)
    ? 'EXISTS (SELECT 1 FROM edge e WHERE e.target = f.id AND e.source <> f.id)'
    : `f.id IN (SELECT e.target FROM edge e WHERE e.target IS NOT NULL
        AND e.target <> e.source AND ${scope.sees('e.source')})`;
}

/** See `IndexStore.deadEnds`: links to hidden files count too, since the note's text shows them. */
export function deadEnds(
  connection: IndexConnection,
  view: View,
  page: FolderPage,
): Page<VaultPath> {
  connection.tryMakeLateIndexes();
  const hidden = connection.hiddenBy(view);
  if (hidden !== undefined && connection.ensureKept('graph'))
    return keptPaths(connection, 'dead_end', hidden, page);
  const leadsOut = `EXISTS (SELECT 1 FROM edge e
    WHERE e.source = f.id AND (e.target IS NULL OR e.target <> f.id))`;
  return pathPage(connection, {
    with: '',
    condition: `f.kind = 'note' AND NOT (${lacksContents}) AND ${connection.sees(view, 'f.path')}
      AND NOT ${leadsOut}`,
    page,
  });
}

/** One page of the paths of files `f` that fulfil a condition, and how many there are in total. */
function pathPage(
  connection: IndexConnection,
  query: { readonly with: string; readonly condition: string; readonly page: FolderPage },
): Page<VaultPath> {
  const { page } = query;
  const range = folderRange(page.folder ?? '');
  const condition = `${range.condition('f.path')} AND ${query.condition}`;
  return connection.read(() => ({
    total: connection.count(
      `${query.with} SELECT count(*) AS n FROM file f WHERE ${condition}`,
      ...range.values,
    ),
    items: connection
      .all<{ path: VaultPath }>(
        `${query.with} SELECT f.path FROM file f WHERE ${condition} ORDER BY f.path LIMIT ? OFFSET ?`,
        ...range.values,
        page.limit,
        page.offset,
      )
      .map(({ path }) => path),
  }));
}

/**
 * The links of one file, in the order of its text; `target` is left out where `sees` does not admit
 * it.
 */
export function linksOf(
  connection: IndexConnection,
  sees: (path: string) => boolean,
  source: LinkedFile,
): LinkRow[] {
  const note = connection.get<{ detail: string }>(
    'SELECT detail FROM note WHERE file = ?',
    source.id,
  );
  if (note === undefined) return [];
  const edges = connection.all<{ path: string; target: VaultPath | null }>(
    `SELECT r.path, t.path AS target FROM edge e
     CROSS JOIN ref r ON r.id = e.ref LEFT JOIN file t ON t.id = e.target
     WHERE e.source = ? ORDER BY e.at`,
    source.id,
  );
  const targets = new Map(edges.map(({ path, target }) => [path, target]));
  const paths = edges.map(({ path }) => path);
  return unpackLinks(JSON.parse(note.detail) as NoteDetail, paths).map((link) => {
    const target = targets.get(link.path) ?? null;
    const visible = target !== null && sees(target) ? { target } : {};
    return { source: source.path, ...visible, ...link };
  });
}

/** The files that link to a file, in path order, with how often each does. */
function sourcesOf(
  connection: IndexConnection,
  target: LinkedFile,
): (LinkedFile & { count: number })[] {
  return connection.all<LinkedFile & { count: number }>(
    `SELECT f.id, f.path, sum(e.count) AS count FROM edge e CROSS JOIN file f ON f.id = e.source
     WHERE e.target = ? GROUP BY f.id ORDER BY f.path`,
    target.id,
  );
}
