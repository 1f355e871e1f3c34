import { compareBytes, sortByBytes } from '../../base/byte-order.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { unresolvedName } from '../../engine/links/resolve-link.ts';
import type {
  FolderPage,
  Page,
  PageRequest,
  UnresolvedRow,
} from '../../engine/ports/index-store.ts';
import { folderRange } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

// Answers from the kept tables (`keptTables.graph`), which are those of the whole vault. What they
// would be without the hidden files is found by a look at the links of these files alone. `hidden` is
// the answer of `IndexConnection.hiddenBy`.

/** See `UnresolvedRow.sources`. */
export const sourcesMax = 10;

/** `orphans`, or `deadEnds`: the links of a note to hidden files still make it none. */
export function keptPaths(
  connection: IndexConnection,
  table: 'orphan' | 'dead_end',
  hidden: string,
  page: FolderPage,
): Page<VaultPath> {
  const range = folderRange(page.folder ?? '');
  return connection.read(() => {
    const others = table === 'orphan' ? linkedByHidden(connection, hidden, page) : [];
    const kept = connection.count(
      // Without a condition, SQLite counts without reading the rows.
      `SELECT count(*) AS n FROM ${table} ${range.values.length === 0 ? '' : `WHERE ${range.condition('path')}`}`,
      ...range.values,
    );
    const less = connection.count(
      `SELECT count(*) AS n FROM json_each(?) h CROSS JOIN ${table} t ON t.file = h.value
       WHERE ${range.condition('t.path')}`,
      hidden,
      ...range.values,
    );
    const first = connection.all<{ path: VaultPath }>(
      `SELECT path FROM ${table} WHERE ${range.condition('path')}
         AND file NOT IN (SELECT value FROM json_each(?)) ORDER BY path LIMIT ?`,
      ...range.values,
      hidden,
      page.offset + page.limit,
    );
    const paths = [...first.map(({ path }) => path), ...others].sort(compareBytes);
    return {
      total: kept - less + others.length,
      items: paths.slice(page.offset, page.offset + page.limit),
    };
  });
}

/** The notes of a folder that hidden files link to, and no others. */
function linkedByHidden(
  connection: IndexConnection,
  hidden: string,
  { folder = '' }: FolderPage,
): VaultPath[] {
  if (hidden === '[]') return [];
  const range = folderRange(folder);
  return connection
    .all<{ path: VaultPath }>(
      `WITH hidden AS MATERIALIZED (SELECT value AS id FROM json_each(?)),
         linked AS MATERIALIZED (
           SELECT DISTINCT e.target AS id FROM hidden h CROSS JOIN edge e ON e.source = h.id
           WHERE e.target IS NOT NULL AND e.target NOT IN (SELECT id FROM hidden))
       SELECT f.path FROM linked t CROSS JOIN file f ON f.id = t.id
       WHERE f.kind = 'note' AND ${range.condition('f.path')} AND NOT EXISTS (
         SELECT 1 FROM edge e WHERE e.target = t.id AND e.source <> t.id
           AND e.source NOT IN (SELECT id FROM hidden))`,
      hidden,
      ...range.values,
    )
    .map(({ path }) => path);
}

/**
 * `unresolved`. `unknown` are the files to which links count as unresolved: they are hidden, and not
 * only excluded by Obsidian's settings.
 */
export function keptUnresolved(
  connection: IndexConnection,
  files: { readonly hidden: string; readonly unknown: string },
  page: PageRequest,
): Page<UnresolvedRow> {
  return connection.read(() => {
    const changed = changedNames(connection, files);
    const gone = Array.from(changed.values()).filter(({ count }) => count === 0).length;
    const added = Array.from(changed).filter(([, { kept }]) => kept === 0);
    const end = page.offset + page.limit;
    const kept = connection
      .all<{ name: string; count: number }>(
        'SELECT name, sum(count) AS count FROM missing GROUP BY name ORDER BY name LIMIT ?',
        end + gone,
      )
      .filter(({ name }) => changed.get(name)?.count !== 0);
    const counts = new Map(kept.map(({ name, count }) => [name, count]));
    for (const [name, { count }] of added) counts.set(name, count);
    const names = sortByBytes(Array.from(counts.keys()));
    return {
      total: connection.count('SELECT names AS n FROM missing_total') - gone + added.length,
      items: names.slice(page.offset, end).map((link) => ({
        link,
        count: changed.get(link)?.count ?? counts.get(link) ?? 0,
        sources: sourcesMissing(connection, { link, ...files, refs: changed.get(link)?.refs }),
      })),
    };
  });
}

/** A name that would be missing more or less often if the hidden files did not exist. */
interface ChangedName {
  /** How often it is missing in all files, and in those that are not hidden. */
  kept: number;
  count: number;
  /** The refs with this name that lead to unknown files somewhere. */
  readonly refs: number[];
}

/** The names that hidden files change. Reads the links from and to these files. */
function changedNames(
  connection: IndexConnection,
  { hidden, unknown }: { readonly hidden: string; readonly unknown: string },
): ReadonlyMap<string, ChangedName> {
  const changed = new Map<string, ChangedName>();
  if (hidden === '[]') return changed;
  const refs = connection.all<{ id: number; path: string; less: number; more: number }>(
    `WITH hidden AS MATERIALIZED (SELECT value AS id FROM json_each(?)),
       changes AS (
         SELECT e.ref, e.count AS less, 0 AS more FROM hidden h CROSS JOIN edge e
           ON e.source = h.id WHERE e.target IS NULL
         UNION ALL
         SELECT e.ref, 0, e.count FROM json_each(?) u CROSS JOIN edge e
           ON e.target = u.value WHERE e.source NOT IN (SELECT id FROM hidden))
     SELECT r.id, r.path, c.less, c.more
     FROM (SELECT ref, sum(less) AS less, sum(more) AS more FROM changes GROUP BY ref) c
     CROSS JOIN ref r ON r.id = c.ref`,
    hidden,
    unknown,
  );
  for (const { id, path, less, more } of refs) {
    const name = unresolvedName(path);
    if (name === '') continue;
    const known = changed.get(name) ?? { kept: 0, count: 0, refs: [] };
    changed.set(name, known);
    known.count += more - less;
    if (more > 0) known.refs.push(id);
  }
  const kept = connection.all<{ name: string; count: number }>(
    `SELECT m.name, sum(m.count) AS count FROM json_each(?) j CROSS JOIN missing m
       ON m.name = j.value GROUP BY m.name`,
    JSON.stringify(Array.from(changed.keys())),
  );
  for (const { name, count } of kept) {
    const known = changed.get(name);
    if (known === undefined) continue;
    known.kept = count;
    known.count += count;
  }
  return changed;
}

/** The first few files, in path order, with a link of this name that leads to no known file. */
function sourcesMissing(
  connection: IndexConnection,
  asked: {
    readonly link: string;
    readonly hidden: string;
    readonly unknown: string;
    readonly refs: readonly number[] | undefined;
  },
): VaultPath[] {
  const { link, hidden, unknown, refs = [] } = asked;
  const selectSources = (given: string, leads: string): string =>
    `SELECT DISTINCT f.path FROM ${given} CROSS JOIN edge e ON e.ref = r.ref AND ${leads}
     CROSS JOIN file f ON f.id = e.source WHERE f.id NOT IN (SELECT value FROM json_each(?))`;
  const first = connection.all<{ path: VaultPath }>(
    `${selectSources('(SELECT ref FROM missing WHERE name = ?) r', 'e.target IS NULL')}
     ORDER BY f.path LIMIT ?`,
    link,
    hidden,
    sourcesMax,
  );
  if (refs.length === 0) return first.map(({ path }) => path);
  const others = connection.all<{ path: VaultPath }>(
    `${selectSources('(SELECT value AS ref FROM json_each(?)) r', 'e.target IN (SELECT value FROM json_each(?))')}
     ORDER BY f.path LIMIT ?`,
    JSON.stringify(refs),
    unknown,
    hidden,
    sourcesMax,
  );
  const paths = new Set([...first, ...others].map(({ path }) => path));
  return Array.from(paths).sort(compareBytes).slice(0, sourcesMax);
}
