import type { Json } from '../../base/json.ts';
import { foldName, type VaultPath } from '../../base/vault-path.ts';
import { type NoteDetail, unpackLinks } from '../../engine/ports/note-detail.ts';
import type {
  FactConditions,
  FactLink,
  FactsRequest,
  FileFacts,
  StoredPart,
} from '../../engine/ports/records.ts';
import { makeSees, type View } from '../../engine/ports/view.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { folderRange } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { tagKey } from '../tables/index-schema.ts';

/**
 * See `IndexStore.queried`. Properties and tags are copied as the JSON in which they are stored, so
 * the cost is mostly that of reading the rows.
 */
export function queriedFacts(
  connection: IndexConnection,
  view: View,
  request: FactsRequest,
): Json<readonly FileFacts[]> {
  connection.tryMakeLateIndexes();
  const parts = new Set(request.parts);
  const { where, values, order, limit } = chosenFiles(connection, view, request);
  return connection.read(() => {
    const rows = connection.all<StoredFacts>(
      `SELECT f.id, f.path, f.size, f.mtime, f.birth
         ${parts.has('properties') ? `, n.detail -> '$.properties' AS properties` : ''}
         ${parts.has('tags') ? `, n.detail -> '$.tags' AS tags` : ''}
         ${parts.has('tasks') ? `, json_array_length(n.detail, '$.tasks') AS tasks` : ''}
         ${parts.has('links') ? ', n.detail' : ''}
       FROM file f LEFT JOIN note n ON n.file = f.id
       WHERE ${where} ORDER BY ${order} LIMIT ?`,
      ...values,
      limit,
    );
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const sees = makeSees(view);
    const edges = parts.has('links') ? edgesOf(connection, ids) : undefined;
    const sources = parts.has('backlinks') ? sourcesOf(connection, ids, sees) : undefined;
    const texts = rows.map((row) => {
      const links = edges === undefined ? undefined : linksOf(row, edges.get(row.id) ?? [], sees);
      const backlinks = sources === undefined ? undefined : (sources.get(row.id) ?? []);
      return factsJson(row, parts, { links, backlinks });
    });
    return `[${texts.join(',')}]` as Json<readonly FileFacts[]>;
  });
}

interface StoredFacts {
  readonly id: number;
  readonly path: VaultPath;
  readonly size: number;
  readonly mtime: number;
  readonly birth: number;
  /** As stored in `NoteDetail`, or null. */
  readonly properties?: string | null;
  readonly tags?: string | null;
  readonly tasks?: number | null;
  readonly detail?: string | null;
}

function factsJson(
  row: StoredFacts,
  parts: ReadonlySet<StoredPart>,
  found: {
    readonly links: readonly FactLink[] | undefined;
    readonly backlinks: readonly VaultPath[] | undefined;
  },
): string {
  const { path, size, mtime, birth, properties, tags, tasks } = row;
  const counted = parts.has('tasks') ? { tasks: tasks ?? 0 } : {};
  const stat = JSON.stringify({ path, size, mtimeMs: mtime, birthMs: birth, ...counted, ...found });
  const properly = parts.has('properties') ? `,"properties":${properties ?? '[]'}` : '';
  const tagged = parts.has('tags') ? `,"tags":${tags ?? '[]'}` : '';
  return `${stat.slice(0, -1)}${properly}${tagged}}`;
}

/** The SQL that chooses the files. */
interface ChosenFiles {
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly order: string;
  readonly limit: number;
}

function chosenFiles(connection: IndexConnection, view: View, request: FactsRequest): ChosenFiles {
  const sees = connection.sees(view, 'f.path');
  if (request.paths !== undefined) {
    return {
      where: `f.path IN (SELECT value FROM json_each(?)) AND ${sees}`,
      values: [JSON.stringify(request.paths)],
      order: 'f.path',
      limit: request.paths.length,
    };
  }
  const { conditions, after, limit } = request;
  const chosen = conditionsOf(conditions);
  // Where tags or links choose the files, they are found by these and then sorted: the `+` keeps
  // SQLite from going through all files in path order instead.
  const path = chosen.isByIds ? '+f.path' : 'f.path';
  const isAfter = after === undefined ? [] : [`${path} > ?`];
  return {
    where: [sees, ...isAfter, ...chosen.conditions].join(' AND '),
    values: [...(after === undefined ? [] : [after]), ...chosen.values],
    order: path,
    limit,
  };
}

function conditionsOf(asked: FactConditions): {
  readonly conditions: readonly string[];
  readonly values: readonly SqlValue[];
  readonly isByIds: boolean;
} {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const { folders = [], tags = [], linksTo = [], properties = [], extensions = [] } = asked;
  if (folders.length > 0) {
    const ranges = folders.map(folderRange);
    conditions.push(`(${ranges.map(({ condition }) => condition('f.path')).join(' OR ')})`);
    values.push(...ranges.flatMap((range) => range.values));
  }
  for (const some of tags) {
    // "0" comes right after "/": the range holds exactly the tags nested under this one.
    const any = some.map(() => 'key = ? OR (key > ? AND key < ?)').join(' OR ');
    conditions.push(`f.id IN (SELECT file FROM tag WHERE ${any})`);
    for (const key of some.map(tagKey)) values.push(key, `${key}/`, `${key}0`);
  }
  for (const path of linksTo) {
    conditions.push(
      'f.id IN (SELECT source FROM edge WHERE target = (SELECT id FROM file WHERE path = ?))',
    );
    values.push(path);
  }
  for (const pattern of properties.flatMap(propertyPattern)) {
    conditions.push(`f.shape IN (SELECT id FROM shape WHERE properties LIKE ? ESCAPE '\\')`);
    values.push(pattern);
  }
  if (extensions.length > 0) {
    const endings = extensions.map((extension) => `.${foldName(extension)}`);
    conditions.push(`(${endings.map(() => 'substr(f.name, -length(?)) = ?').join(' OR ')})`);
    values.push(...endings.flatMap((ending) => [ending, ending]));
  }
  if (asked.sinceMs !== undefined) {
    conditions.push('f.mtime >= ?');
    values.push(asked.sinceMs);
  }
  if (asked.hasTasks === true) conditions.push(`json_array_length(n.detail, '$.tasks') > 0`);
  return { conditions, values, isByIds: tags.length > 0 || linksTo.length > 0 };
}

/**
 * What the names of a shape (`[["name","type"],…]`) must be like for it to have a property. LIKE
 * ignores the case of ASCII letters only, so for other letters that have a case there is none.
 */
function propertyPattern(name: string): readonly string[] {
  const hasCase = Array.from(name).some(
    (letter) => letter > '\x7f' && letter.toLowerCase() !== letter.toUpperCase(),
  );
  const written = JSON.stringify(name);
  if (hasCase || written.length !== name.length + 2) return [];
  return [`%[${written.replace(/[\\%_]/g, '\\$&')},%`];
}

interface StoredEdge {
  readonly source: number;
  readonly path: string;
  readonly target: VaultPath | null;
}

/** The paths of the links of each file, in the order in which its links refer to them. */
function edgesOf(connection: IndexConnection, ids: string): Map<number, StoredEdge[]> {
  const edges = connection.all<StoredEdge>(
    `SELECT e.source, r.path, t.path AS target FROM json_each(?) j
     CROSS JOIN edge e ON e.source = j.value
     CROSS JOIN ref r ON r.id = e.ref LEFT JOIN file t ON t.id = e.target
     ORDER BY e.source, e.at`,
    ids,
  );
  return grouped(edges, ({ source }) => source);
}

function linksOf(
  { detail }: StoredFacts,
  edges: readonly StoredEdge[],
  sees: (path: string) => boolean,
): readonly FactLink[] {
  if (detail === undefined || detail === null) return [];
  const targets = new Map(edges.map(({ path, target }) => [path, target]));
  const packed = JSON.parse(detail) as NoteDetail;
  const displays = new Map(packed.displays ?? []);
  const paths = edges.map(({ path }) => path);
  const links = unpackLinks(packed, paths).map(({ place, embed, path, subpath }, at): FactLink => {
    const target = targets.get(path) ?? null;
    const display = displays.get(at);
    return {
      place,
      embed,
      path,
      subpath,
      ...(display === undefined ? {} : { display }),
      ...(target !== null && sees(target) ? { target } : {}),
    };
  });
  // The index has those of the properties first, and a query wants them last.
  return [
    ...links.filter(({ place }) => place !== 'property'),
    ...links.filter(({ place }) => place === 'property'),
  ];
}

function sourcesOf(
  connection: IndexConnection,
  ids: string,
  sees: (path: string) => boolean,
): Map<number, VaultPath[]> {
  const rows = connection.all<{ target: number; path: VaultPath }>(
    `SELECT DISTINCT e.target, s.path FROM json_each(?) j CROSS JOIN edge e ON e.target = j.value
     CROSS JOIN file s ON s.id = e.source ORDER BY s.path`,
    ids,
  );
  const seen = rows.filter(({ path }) => sees(path));
  const groups = grouped(seen, ({ target }) => target);
  return new Map(Array.from(groups, ([id, found]) => [id, found.map(({ path }) => path)]));
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
