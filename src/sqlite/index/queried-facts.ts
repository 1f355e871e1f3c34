import type { Json } from '../../base/json.ts';
import { foldName, type VaultPath } from '../../base/vault-path.ts';
import { type NoteDetail, unpackLinks } from '../../engine/ports/note-detail.ts';
import type {
  FactConditions,
  FactLink,
  FactsRequest,
  FileFacts,
} from '../../engine/ports/records.ts';
import { makeSees, type View } from '../../engine/ports/view.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { folderRange } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { tagKey } from '../tables/index-schema.ts';
import { type FileSet, filesLinkingTo, type ValueFiles, valueFiles } from './value-files.ts';

/**
 * See `IndexStore.queried`. SQLite writes the JSON: properties and tags are copied as they are stored,
 * so the cost is mostly that of reading the rows.
 */
export function queriedFacts(
  connection: IndexConnection,
  view: View,
  request: FactsRequest,
): Json<readonly FileFacts[]> {
  connection.tryMakeLateIndexes();
  const parts = new Set(request.parts);
  const hasValues = connection.ensureKept('values');
  const { where, values, order, limit, sure } = chosenFiles(connection, view, request, hasValues);
  const properties = hasValues
    ? `(SELECT written FROM property WHERE file = f.id)`
    : `(SELECT detail -> '$.properties' FROM note WHERE file = f.id)`;
  const tags = `(SELECT detail -> '$.tags' FROM note WHERE file = f.id)`;
  const head = [
    `'{"path":' || json_quote(f.path)`,
    ...(parts.has('size') ? [`',"size":' || f.size`] : []),
    ...(parts.has('mtimeMs') ? [`',"mtimeMs":' || ${wholeNumber('f.mtime')}`] : []),
    ...(parts.has('birthMs') ? [`',"birthMs":' || ${wholeNumber('f.birth')}`] : []),
    ...(parts.has('properties') ? [`',"properties":' || ifnull(${properties}, '[]')`] : []),
    ...(parts.has('tags') ? [`',"tags":' || ifnull(${tags}, '[]')`] : []),
    ...(parts.has('tasks') ? [`',"tasks":' || ifnull(${tasksOf}, 0)`] : []),
    ...(sure === undefined ? [] : [`CASE WHEN ${sure.sql} THEN ',"sure":true' ELSE '' END`]),
  ].join(' || ');
  // Sorting the ids first costs less than sorting rows with all their facts.
  const ids = `WITH chosen AS MATERIALIZED (SELECT f.id FROM file f WHERE ${where} ORDER BY ${order} LIMIT ?)`;
  const chosen = 'FROM chosen CROSS JOIN file f ON f.id = chosen.id';
  const bound = [...values, limit, ...(sure?.values ?? [])];
  return connection.read(() => {
    if (!parts.has('links') && !parts.has('backlinks')) {
      const sql = `${ids} SELECT group_concat(facts) AS facts FROM (SELECT ${head} || '}' AS facts ${chosen})`;
      const found = connection.get<{ facts: string | null }>(sql, ...bound);
      return `[${found?.facts ?? ''}]` as Json<readonly FileFacts[]>;
    }
    const rows = connection.all<StoredFacts>(
      `${ids} SELECT f.id, ${head} AS head ${chosen}`,
      ...bound,
    );
    const found = JSON.stringify(rows.map(({ id }) => id));
    const sees = makeSees(view);
    const links = parts.has('links') ? linksOf(connection, found, sees) : undefined;
    const sources = parts.has('backlinks') ? sourcesOf(connection, found, sees) : undefined;
    const texts = rows.map(({ id, head: facts }) => {
      const linked = links === undefined ? '' : `,"links":${JSON.stringify(links.get(id) ?? [])}`;
      const from = sources?.get(id) ?? [];
      return `${facts}${linked}${sources === undefined ? '' : `,"backlinks":${JSON.stringify(from)}`}}`;
    });
    return `[${texts.join(',')}]` as Json<readonly FileFacts[]>;
  });
}

/** How many tasks a file has; NULL for one that is no note. */
const tasksOf = `(SELECT json_array_length(detail, '$.tasks') FROM note WHERE file = f.id)`;

/** The greatest whole number that is not greater. SQLite would write a fraction with fewer digits. */
function wholeNumber(column: string): string {
  return `(CAST(${column} AS INTEGER) - (${column} < CAST(${column} AS INTEGER)))`;
}

interface StoredFacts {
  readonly id: number;
  /** The JSON of the facts up to here, without its end. */
  readonly head: string;
}

/** The SQL that chooses the files. */
interface ChosenFiles {
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly order: string;
  readonly limit: number;
  /** Whether the conditions alone decide about a file; undefined where they decide about none. */
  readonly sure?: { readonly sql: string; readonly values: readonly SqlValue[] } | undefined;
}

function chosenFiles(
  connection: IndexConnection,
  view: View,
  request: FactsRequest,
  hasValues: boolean,
): ChosenFiles {
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
  const found = hasValues ? (conditions.values ?? []).map(valueFiles) : [];
  const chosen = conditionsOf(conditions, hasValues);
  const choices = (conditions.anyOf ?? []).map((choice) => filesOfAny(choice, hasValues));
  const where = [...chosen.conditions, ...[...found, ...choices].map(({ sql }) => sql)];
  // Where tags, links or values choose the files, they are found by these and then sorted: the `+`
  // keeps SQLite from going through all files in path order instead.
  const isByIds = chosen.isByIds || found.length > 0 || choices.length > 0;
  const path = isByIds ? '+f.path' : 'f.path';
  const isAfter = after === undefined ? [] : [`${path} > ?`];
  return {
    where: [sees, ...isAfter, ...where].join(' AND '),
    values: [
      ...(after === undefined ? [] : [after]),
      ...chosen.values,
      ...[...found, ...choices].flatMap(({ values }) => values),
    ],
    order: path,
    limit,
    sure: sureFiles(connection, conditions, found),
  };
}

/** The files that meet one of several conditions. */
function filesOfAny(choice: readonly FactConditions[], hasValues: boolean): FileSet {
  const sets = choice.map((conditions) => {
    const chosen = conditionsOf(conditions, hasValues);
    const found = [
      ...(hasValues ? (conditions.values ?? []).map(valueFiles) : []),
      ...(conditions.anyOf ?? []).map((inner) => filesOfAny(inner, hasValues)),
    ];
    const where = ['TRUE', ...chosen.conditions, ...found.map(({ sql }) => sql)].join(' AND ');
    return {
      sql: `SELECT f.id FROM file f WHERE ${where}`,
      values: [...chosen.values, ...found.flatMap(({ values }) => values)],
    };
  });
  return {
    sql: `f.id IN (${sets.map(({ sql }) => sql).join(' UNION ALL ')})`,
    values: sets.flatMap(({ values }) => values),
  };
}

/** Values may be found under a name that a note has twice, so such names leave all files unsure. */
function sureFiles(
  connection: IndexConnection,
  { decisive = false, values: asked = [] }: FactConditions,
  found: readonly ValueFiles[],
): ChosenFiles['sure'] {
  if (!decisive || found.length < asked.length) return undefined;
  const isTwice = (name: string): boolean => {
    const [pattern] = propertyPattern(name);
    const sql = `SELECT EXISTS (SELECT 1 FROM shape WHERE ${shapeHas}) AS n`;
    return pattern === undefined || connection.count(sql, `${pattern}${pattern}`) > 0;
  };
  if (asked.some(({ name }) => isTwice(name))) return undefined;
  if (found.some(({ sure }) => sure === undefined)) return undefined;
  const sets = found.filter(({ sql, sure }) => sure?.sql !== sql).map(({ sure }) => sure);
  return {
    sql: ['TRUE', ...sets.map((set) => set?.sql)].join(' AND '),
    values: sets.flatMap((set) => set?.values ?? []),
  };
}

function conditionsOf(
  asked: FactConditions,
  hasValues: boolean,
): {
  readonly conditions: readonly string[];
  readonly values: readonly SqlValue[];
  readonly isByIds: boolean;
} {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const { folders = [], tags = [], linksTo = [], extensions = [] } = asked;
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
    conditions.push(filesLinkingTo);
    values.push(path);
  }
  const names = [
    ...(asked.properties ?? []),
    ...(hasValues ? [] : (asked.values ?? []).map(({ name }) => name)),
  ];
  for (const pattern of names.flatMap(propertyPattern)) {
    conditions.push(`f.shape IN (SELECT id FROM shape WHERE ${shapeHas})`);
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
  if (asked.hasTasks === true) conditions.push(`${tasksOf} > 0`);
  const isByIds = tags.length > 0 || linksTo.length > 0 || asked.sinceMs !== undefined;
  return { conditions, values, isByIds };
}

/** Of all letters beyond ASCII, this one is an ASCII letter in lower case. */
const shapeHas = `replace(properties, char(8490), 'k') LIKE ? ESCAPE '\\'`;

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

/** The links of each file. */
function linksOf(
  connection: IndexConnection,
  ids: string,
  sees: (path: string) => boolean,
): Map<number, readonly FactLink[]> {
  const edges = edgesOf(connection, ids);
  const details = connection.all<{ file: number; detail: string }>(
    'SELECT n.file, n.detail FROM json_each(?) j CROSS JOIN note n ON n.file = j.value',
    ids,
  );
  return new Map(
    details.map(({ file, detail }) => [file, linksIn(detail, edges.get(file) ?? [], sees)]),
  );
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

function linksIn(
  detail: string,
  edges: readonly StoredEdge[],
  sees: (path: string) => boolean,
): readonly FactLink[] {
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
