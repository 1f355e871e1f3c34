import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { foldName } from '../../base/vault-path.ts';
import type {
  FactsRow,
  FileRow,
  IndexStore,
  Page,
  PageRequest,
  PropertyRow,
  TagRow,
} from '../../engine/ports/index-store.ts';
import type { NoteDetail } from '../../engine/ports/note-detail.ts';
import { unpackHeadings, unpackTasks } from '../../engine/ports/note-detail.ts';
import type { AliasRow, ProblemRow, PropertyType } from '../../engine/ports/records.ts';
import type { View } from '../../engine/ports/view.ts';
import { seesAll } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { tagKey } from '../tables/index-schema.ts';
import { filePage } from './file-queries.ts';

/** See `IndexStore.tags`; in the order of the folded tags. */
export function tags(connection: IndexConnection, view: View): TagRow[] {
  connection.tryMakeLateIndexes();
  const hidden = connection.hiddenBy(view);
  const isKept = hidden !== undefined && connection.ensureKept('totals');
  const scope = connection.seesIds(view);
  return connection.read(() => {
    const rows = isKept ? keptTags(connection, hidden) : countedTags(connection, scope);
    return rows.map(({ key, files, count, written, varied }) => ({
      tag: `#${varied === 1 ? firstWritten(connection, view, key) : written}`,
      files,
      count,
    }));
  });
}

interface StoredTag {
  readonly key: string;
  readonly files: number;
  readonly count: number;
  readonly written: string;
  /** 1 if files spell the tag differently. Then the spelling of the first file is shown. */
  readonly varied: number;
}

/** All tags, less those of the hidden files. */
function keptTags(connection: IndexConnection, hidden: string): StoredTag[] {
  return connection.all<StoredTag>(
    `SELECT key, sum(files) AS files, sum(count) AS count, min(written) AS written,
       count(*) > 1 AS varied
     FROM (
       SELECT key, written, sum(files) AS files, sum(count) AS count FROM (
         SELECT key, written, files, count FROM tag_total
         UNION ALL
         SELECT t.key, coalesce(t.written, t.key), -1, -t.count
         FROM json_each(?) h CROSS JOIN tag t ON t.file = h.value)
       GROUP BY key, written HAVING sum(files) > 0)
     GROUP BY key ORDER BY key`,
    hidden,
  );
}

/** The tags of the files that a view admits. `tag.written` is NULL where it is the same as the key. */
function countedTags(
  connection: IndexConnection,
  scope: ReturnType<IndexConnection['seesIds']>,
): StoredTag[] {
  return connection.all<StoredTag>(
    `${scope.with} SELECT key, count(*) AS files, sum(count) AS count,
       coalesce(min(written), key) AS written,
       count(written) NOT IN (0, count(*)) OR min(written) IS NOT max(written) AS varied
     FROM tag t WHERE ${scope.sees('t.file')} GROUP BY key ORDER BY key`,
  );
}

/** The spelling of a tag in the first file, by path, that has it. */
function firstWritten(connection: IndexConnection, view: View, key: string): string {
  const row = connection.get<{ written: string }>(
    `SELECT coalesce(t.written, t.key) AS written, min(f.path)
     FROM tag t CROSS JOIN file f ON f.id = t.file
     WHERE t.key = ? AND ${connection.sees(view, 'f.path')}`,
    key,
  );
  return row?.written ?? key;
}

/** See `IndexStore.filesWithTag`; in path order. */
export function filesWithTag(
  connection: IndexConnection,
  view: View,
  tag: string,
  { propertiesOnly = false, ...page }: Parameters<IndexStore['filesWithTag']>[2],
): Page<FileRow> {
  connection.tryMakeLateIndexes();
  const key = tagKey(tag);
  return filePage(connection, view, {
    // "0" comes right after "/": the range holds exactly the tags nested under this one.
    condition: `f.id IN (SELECT file FROM tag t WHERE (key = ? OR (key > ? AND key < ?))
      ${propertiesOnly ? `AND ${isInProperties}` : ''}) AND ${connection.sees(view, 'f.path')}`,
    values: [key, `${key}/`, `${key}0`],
    order: 'f.path',
    ...page,
  });
}

/**
 * Whether the tag `t` is one of the property `tags`: its only value, or an entry of the list. `tag`
 * has the spelling of the first place, and properties come before the text, so spellings are equal.
 */
const isInProperties = `EXISTS (
  SELECT 1 FROM note n
    CROSS JOIN json_each(n.detail, '$.properties') property
    CROSS JOIN json_each(property.value, '$[2]') entry
  WHERE n.file = t.file AND lower(property.value ->> 0) = 'tags'
    AND json_type(property.value, '$[2]') <> 'object'
    AND entry.value IN (coalesce(t.written, t.key), '#' || coalesce(t.written, t.key)))`;

/**
 * See `IndexStore.properties`; in the order of the folded names, commonest type first. Read from the
 * shapes (see `indexSchema`), of which there are few.
 */
export function properties(connection: IndexConnection, view: View): PropertyRow[] {
  connection.tryMakeLateIndexes();
  const hidden = connection.hiddenBy(view);
  const shapes =
    hidden !== undefined && connection.ensureKept('totals')
      ? keptShapes(connection, hidden)
      : connection.all<CountedShape>(
          `SELECT s.properties, f.files FROM (
             SELECT shape, count(*) AS files, min(path) AS first FROM file
             WHERE shape IS NOT NULL AND ${connection.sees(view, 'path')} GROUP BY shape
           ) f CROSS JOIN shape s ON s.id = f.shape ORDER BY f.first`,
        );
  const found = new Map<string, { key: string; files: number; types: Map<string, number> }>();
  for (const shape of shapes) {
    const counted = new Set<string>();
    for (const [key, type] of JSON.parse(shape.properties) as [string, string][]) {
      const folded = foldName(key);
      const property = found.get(folded) ?? { key, files: 0, types: new Map() };
      found.set(folded, property);
      if (!counted.has(folded)) property.files += shape.files;
      counted.add(folded);
      property.types.set(type, (property.types.get(type) ?? 0) + shape.files);
    }
  }
  return Array.from(found)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { key, files, types }]) => ({ key, files, types: commonestFirst(types) }));
}

/** See `IndexStore.filesWithProperty`. Costs a look at each shape, and the files found. */
export function filesWithProperty(
  connection: IndexConnection,
  view: View,
  key: string,
): VaultPath[] {
  const asked = foldName(key);
  return connection.read(() => {
    const shapes = connection
      .all<{ id: number; properties: string }>('SELECT id, properties FROM shape')
      .filter(({ properties: names }) =>
        (JSON.parse(names) as [string, string][]).some(([name]) => foldName(name) === asked),
      );
    return connection
      .all<{ path: VaultPath }>(
        `SELECT path FROM file WHERE shape IN (SELECT value FROM json_each(?))
           AND ${connection.sees(view, 'path')} ORDER BY path`,
        JSON.stringify(shapes.map(({ id }) => id)),
      )
      .map(({ path }) => path);
  });
}

/** See `IndexStore.basesNaming`. Costs a look at the text of every base, of which there are few. */
export function basesNaming(connection: IndexConnection, terms: readonly string[]): VaultPath[] {
  return connection
    .all<{ path: VaultPath }>(
      `SELECT f.path FROM base b CROSS JOIN file f ON f.id = b.file
       WHERE instr(b.text, '\\') > 0
         OR EXISTS (SELECT 1 FROM json_each(?) t WHERE instr(b.text, t.value) > 0)
       ORDER BY f.path`,
      JSON.stringify(terms),
    )
    .map(({ path }) => path);
}

interface CountedShape {
  readonly properties: string;
  readonly files: number;
}

/** All shapes with the number of their files, less the hidden ones; by the first path of each. */
function keptShapes(connection: IndexConnection, hidden: string): CountedShape[] {
  return connection.all<CountedShape>(
    `WITH hidden AS MATERIALIZED (SELECT value AS id FROM json_each(?)),
       less AS MATERIALIZED (
         SELECT f.shape, count(*) AS files FROM hidden h CROSS JOIN file f ON f.id = h.id
         WHERE f.shape IS NOT NULL GROUP BY f.shape)
     SELECT s.properties, t.files - coalesce(l.files, 0) AS files
     FROM shape_total t CROSS JOIN shape s ON s.id = t.shape LEFT JOIN less l ON l.shape = t.shape
     WHERE t.files > coalesce(l.files, 0)
     ORDER BY (SELECT path FROM file f WHERE f.shape = t.shape
       AND f.id NOT IN (SELECT id FROM hidden) ORDER BY path LIMIT 1)`,
    hidden,
  );
}

function commonestFirst(types: ReadonlyMap<string, number>): PropertyType[] {
  return Array.from(types)
    .sort(([a, aFiles], [b, bFiles]) => bFiles - aFiles || (a < b ? -1 : 1))
    .map(([type]) => type as PropertyType);
}

/** See `IndexStore.aliases`; in path order, then as the note lists them. */
export function aliases(
  connection: IndexConnection,
  view: View,
  { limit, offset }: PageRequest,
): Page<AliasRow> {
  // For the page, files are read in path order, so that it can stop early. Counting starts from the
  // aliases, which is faster.
  const sees = connection.sees(view, 'f.path');
  const counted = seesAll(view) ? '' : `CROSS JOIN file f ON f.id = a.file WHERE ${sees}`;
  return connection.read(() => ({
    total: connection.count(`SELECT count(*) AS n FROM alias a ${counted}`),
    items: connection.all<AliasRow>(
      `SELECT a.alias, f.path FROM file f CROSS JOIN alias a ON a.file = f.id
       WHERE ${sees} ORDER BY f.path, a.seq LIMIT ? OFFSET ?`,
      limit,
      offset,
    ),
  }));
}

/** See `IndexStore.facts`. */
export function facts(connection: IndexConnection, path: VaultPath): FactsRow | undefined {
  return connection.read(() => {
    const row = connection.get<{ id: number; detail: string }>(
      'SELECT f.id, n.detail FROM file f CROSS JOIN note n ON n.file = f.id WHERE f.path = ?',
      path,
    );
    if (row === undefined) return undefined;
    const detail = JSON.parse(row.detail) as NoteDetail;
    return {
      aliases: connection
        .all<{ alias: string }>('SELECT alias FROM alias WHERE file = ? ORDER BY seq', row.id)
        .map(({ alias }) => alias),
      tags: connection.all<{ tag: string; count: number }>(
        'SELECT coalesce(written, key) AS tag, count FROM tag WHERE file = ? ORDER BY key',
        row.id,
      ),
      properties: detail.properties.map(([key, type, value]) => ({ key, type, value })),
      headings: unpackHeadings(detail),
      tasks: unpackTasks(detail),
    };
  });
}

/**
 * See `IndexStore.problems`; in path order, then as they were found. Files that are too large have no
 * stored problems, so they are found by their size.
 */
export function problems(
  connection: IndexConnection,
  view: View,
  { limit, offset }: PageRequest,
): Page<ProblemRow> {
  const from = `FROM (
      SELECT f.path, p.code, p.message, p.seq
      FROM problem p CROSS JOIN file f ON f.id = p.file
      UNION ALL
      SELECT path, 'too_large', 'Larger than ${limits.noteBytesMax} bytes, so only its name is indexed.', 0
      FROM file WHERE kind <> 'attachment' AND present = 1 AND size > ${limits.noteBytesMax}
    ) WHERE ${connection.sees(view, 'path')}`;
  return connection.read(() => ({
    total: connection.count(`SELECT count(*) AS n ${from}`),
    items: connection.all<ProblemRow>(
      `SELECT path, code, message ${from} ORDER BY path, seq LIMIT ? OFFSET ?`,
      limit,
      offset,
    ),
  }));
}
