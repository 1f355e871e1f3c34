import { limits } from '../../base/limits.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, pathKey } from '../../base/vault-path.ts';
import type {
  FileRow,
  FileSizes,
  FileTotals,
  IndexStatus,
  IndexStore,
  Page,
} from '../../engine/ports/index-store.ts';
import type { FileKind } from '../../engine/ports/records.ts';
import type { View } from '../../engine/ports/view.ts';
import { makeSees } from '../../engine/ports/view.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { folderRange } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness, lacksContents } from '../tables/index-schema.ts';
import { isLacking } from '../tables/kept-tables.ts';
import { nameKey } from './file-rows.ts';

/** See `isBehind`. */
const behindMax = 1_000;

/** The beginning of a query for `FileRow`s. `f` is the file; `o` is the original of a conflict copy. */
const selectFiles = `SELECT f.path, f.kind, f.size, f.mtime, f.birth, f.present,
  o.path AS original FROM file f LEFT JOIN file o ON o.path = f.conflict_of`;

interface StoredFileRow {
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly size: number;
  readonly mtime: number;
  readonly birth: number;
  readonly present: number;
  readonly original: VaultPath | null;
}

/** Turns a stored row into a `FileRow`. An original that the view hides is left out. */
function toFileRow(row: StoredFileRow, sees: (path: string) => boolean): FileRow {
  const { path, kind, size, mtime, birth, present, original } = row;
  return {
    path,
    kind,
    size,
    mtimeMs: mtime,
    birthMs: birth,
    present: present === 1,
    ...(original !== null && sees(original) ? { conflictOf: original } : {}),
  };
}

/** See `IndexStore.status`. */
export function status(connection: IndexConnection, view: View): IndexStatus {
  const hidden = connection.hiddenBy(view);
  if (hidden !== undefined && !isBehind(connection) && connection.ensureKept('progress')) {
    return connection.read(() => {
      const all = keptStatus(connection);
      const less = countedStatus(connection, isHidden, hidden);
      return {
        files: all.files - less.files,
        notes: all.notes - less.notes,
        indexed: all.indexed - less.indexed,
        searchable: all.searchable - less.searchable,
        absent: all.absent - less.absent,
      };
    });
  }
  return countedStatus(connection, connection.sees(view, 'path'));
}

/** A condition on files for the answer of `IndexConnection.hiddenBy`. */
const isHidden = 'id IN (SELECT value FROM json_each(?))';

/** The status of the files that fulfil a condition. */
function countedStatus(
  connection: IndexConnection,
  condition: string,
  ...values: readonly string[]
): IndexStatus {
  const row = connection.get<IndexStatus>(
    `SELECT count(*) AS files,
       coalesce(sum(parsed), 0) AS notes,
       coalesce(sum(parsed AND facts >= ${freshness.racy}), 0) AS indexed,
       coalesce(sum(parsed AND text = ${freshness.current}), 0) AS searchable,
       coalesce(sum(NOT present), 0) AS absent
     FROM file WHERE ${condition}`,
    ...values,
  );
  return { files: 0, notes: 0, indexed: 0, searchable: 0, absent: 0, ...row };
}

/**
 * Whether `behindMax` files or more still lack full text: then kept tables would slow down the build.
 */
function isBehind(connection: IndexConnection): boolean {
  const lacking = connection.count(
    `SELECT count(*) AS n FROM (SELECT 1 FROM file
       WHERE facts >= ${freshness.racy} AND text < ${freshness.current} LIMIT ${behindMax})`,
  );
  return lacking === behindMax;
}

/** The status of the whole vault: the kept totals, minus the few files that are not up to date. */
function keptStatus(connection: IndexConnection): IndexStatus {
  const behind = connection.get<{ unparsed: number; lackFacts: number; lackText: number }>(
    `SELECT coalesce(sum(parsed = 0), 0) AS unparsed,
         coalesce(sum(parsed AND facts < ${freshness.racy}), 0) AS lackFacts,
         coalesce(sum(parsed AND text < ${freshness.current}), 0) AS lackText
       FROM file INDEXED BY file_behind WHERE ${isLacking}`,
  ) ?? { unparsed: 0, lackFacts: 0, lackText: 0 };
  const kinds = 'SELECT sum(files) AS n FROM kind_total';
  const notes = connection.count(`${kinds} WHERE kind <> 'attachment'`) - behind.unparsed;
  return {
    files: connection.count(kinds),
    notes,
    indexed: notes - behind.lackFacts,
    searchable: notes - behind.lackText,
    absent: connection.count('SELECT count(*) AS n FROM file WHERE present = 0'),
  };
}

/** See `IndexStore.file`. */
export function file(
  connection: IndexConnection,
  view: View,
  path: VaultPath,
): FileRow | undefined {
  const sees = makeSees(view);
  if (!sees(path)) return undefined;
  const row = connection.get<StoredFileRow>(`${selectFiles} WHERE f.path = ?`, path);
  return row === undefined ? undefined : toFileRow(row, sees);
}

/** See `IndexStore.filesByKey`. */
export function filesByKey(connection: IndexConnection, view: View, key: string): FileRow[] {
  return filesByName(connection, view, [nameKey(key)]).filter((row) => pathKey(row.path) === key);
}

/** See `IndexStore.filesByName`. */
export function filesByName(
  connection: IndexConnection,
  view: View,
  names: readonly string[],
): FileRow[] {
  const sees = makeSees(view);
  return connection
    .all<StoredFileRow>(
      `${selectFiles} WHERE f.name IN (SELECT value FROM json_each(?)) ORDER BY f.path`,
      JSON.stringify(names),
    )
    .filter((row) => sees(row.path))
    .map((row) => toFileRow(row, sees));
}

const orders = { path: 'f.path', name: 'f.name, f.path', modified: 'f.mtime DESC, f.path' };

/** See `IndexStore.files`. The newest comes first when sorted by time. */
export function files(
  connection: IndexConnection,
  view: View,
  request: Parameters<IndexStore['files']>[1],
): Page<FileRow> {
  const { folder, kinds, sort, sinceMs, absent, limit, offset } = request;
  connection.tryMakeLateIndexes(); // `ensureKept` waits for them.
  const range = folderRange(folder);
  const ofKind = `kind IN (${kinds.map(() => '?').join(', ')})`;
  // The indexes `file_kind` and `file_recent` give the wanted order only within one kind. For several
  // kinds, or by name, the `+` forbids them: SQLite would use them and then sort all files.
  const byKind = kinds.length === 1 && sort !== 'name';
  const since = sinceMs === undefined ? '' : 'AND f.mtime >= ? ';
  const only = absent === true ? `${since}AND f.present = 0 ` : since;
  const hidden = folder === '' && only === '' ? connection.hiddenBy(view) : undefined;
  const isKept = hidden !== undefined && connection.ensureKept('totals');
  return filePage(connection, view, {
    condition: `${byKind ? '' : '+'}f.${ofKind} ${only}AND ${range.condition('f.path')} AND ${connection.sees(view, 'f.path')}`,
    values: [...kinds, ...(sinceMs === undefined ? [] : [sinceMs]), ...range.values],
    order: orders[sort],
    limit,
    offset,
    ...(isKept ? { total: () => keptTotals(connection, hidden, kinds).files } : {}),
  });
}

/** See `IndexStore.noteCounts`, in path order. Reads the paths of all notes. */
export function noteCounts(
  connection: IndexConnection,
  view: View,
): (readonly [VaultFolder, number])[] {
  const counts = new Map<VaultFolder, number>();
  const rows = connection.all<{ path: VaultPath }>(
    `SELECT path FROM file WHERE kind = 'note' AND ${connection.sees(view, 'path')} ORDER BY path`,
  );
  for (const { path } of rows) {
    for (let at = folderOf(path); at !== ''; at = folderOf(at)) {
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  }
  return [['' as VaultFolder, rows.length], ...counts];
}

/** See `IndexStore.totals`. */
export function totals(connection: IndexConnection, view: View, folder: VaultFolder): FileTotals {
  const range = folderRange(folder);
  const hidden = folder === '' ? connection.hiddenBy(view) : undefined;
  if (hidden !== undefined && connection.ensureKept('totals')) {
    return connection.read(() => keptTotals(connection, hidden));
  }
  const row = connection.get<FileTotals>(
    `SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM file
     WHERE ${range.condition('path')} AND ${connection.sees(view, 'path')}`,
    ...range.values,
  );
  return { files: 0, bytes: 0, ...row };
}

/** The number and size of all files of these kinds (of all kinds, when absent), less the hidden ones. */
function keptTotals(
  connection: IndexConnection,
  hidden: string,
  kinds?: readonly FileKind[],
): FileTotals {
  const ofKind = kinds ? `kind IN (${kinds.map(() => '?').join(', ')})` : 'TRUE';
  const row = connection.get<FileTotals>(
    `SELECT coalesce(sum(files), 0) AS files, coalesce(sum(bytes), 0) AS bytes FROM (
       SELECT files, bytes FROM kind_total WHERE ${ofKind}
       UNION ALL SELECT -1, -size FROM file WHERE ${isHidden} AND +${ofKind})`,
    ...(kinds ?? []),
    hidden,
    ...(kinds ?? []),
  );
  return { files: 0, bytes: 0, ...row };
}

/** Where the steps of `FileSizes` begin: 0, then each with twice as many bytes. */
const sizeSteps = [0, ...Array.from({ length: 13 }, (_, power) => 256 * 2 ** power)];
const stepOfSize = `CASE ${sizeSteps
  .slice(1)
  .map((end, step) => `WHEN size < ${end} THEN ${step}`)
  .join(' ')} ELSE ${sizeSteps.length - 1} END`;

/** See `IndexStore.sizes`. One query over the table of files. */
export function sizes(connection: IndexConnection, view: View): FileSizes {
  const files = { note: 0, canvas: 0, base: 0, attachment: 0 };
  const notes = sizeSteps.map(() => 0);
  let bytes = 0;
  const rows = connection.all<{ kind: FileKind; step: number; files: number; bytes: number }>(
    `SELECT kind, CASE kind WHEN 'note' THEN ${stepOfSize} ELSE 0 END AS step,
       count(*) AS files, sum(size) AS bytes
     FROM file WHERE ${connection.sees(view, 'path')} GROUP BY 1, 2`,
  );
  for (const row of rows) {
    files[row.kind] += row.files;
    if (row.kind !== 'note') continue;
    notes[row.step] = row.files;
    bytes += row.bytes;
  }
  return {
    files,
    bytes,
    steps: sizeSteps.map((from, step) => ({ from, notes: notes[step] ?? 0 })),
  };
}

/** See `IndexStore.conflicts`: copies whose original exists, if the view admits both. */
export function conflicts(connection: IndexConnection, view: View): FileRow[] {
  const sees = makeSees(view);
  return connection
    .all<StoredFileRow>(
      // The `+` makes SQLite start from the few conflict copies, instead of all files in path order.
      `${selectFiles} WHERE f.conflict_of IS NOT NULL AND o.id IS NOT NULL ORDER BY +f.path`,
    )
    .map((row) => toFileRow(row, sees))
    .filter((row) => row.conflictOf !== undefined && sees(row.path));
}

/** See `IndexStore.unparsed`. The late index `file_unparsed` leads to these files. */
export function unparsed(
  connection: IndexConnection,
  view: View,
  { byStat }: { readonly byStat: boolean },
): { path: VaultPath; reason: string }[] {
  if (!byStat) connection.tryMakeLateIndexes();
  const lacks = byStat ? "kind <> 'attachment' AND parsed = 0" : lacksContents;
  return connection
    .all<Pick<StoredFileRow, 'path' | 'size' | 'present'>>(
      `SELECT path, size, present FROM file
       WHERE ${lacks} AND ${connection.sees(view, 'path')} ORDER BY path`,
    )
    .map((row) => ({ path: row.path, reason: unparsedReason(row) }));
}

/** See `IndexStore.lacking`. As one row, since there may be very many files. */
export function lacking(
  connection: IndexConnection,
  part: 'facts' | 'text' | 'old text',
): VaultPath[] {
  const column = part === 'facts' ? 'facts' : 'text';
  const least = part === 'old text' ? freshness.stale : freshness.none;
  const row = connection.get<{ paths: string }>(
    `SELECT json_group_array(path) AS paths FROM file
     WHERE kind <> 'attachment' AND parsed = 1 
       AND ${column} < ${freshness.current} AND ${column} >= ${least}`,
  );
  return JSON.parse(row?.paths ?? '[]') as VaultPath[];
}

function unparsedReason({ size, present }: Pick<StoredFileRow, 'size' | 'present'>): string {
  if (present === 0) return 'not downloaded';
  return size > limits.noteBytesMax ? 'too large to read' : 'could not be read';
}

/** One page of the files `f` that fulfil a condition, and how many there are in total. */
export function filePage(
  connection: IndexConnection,
  view: View,
  request: {
    readonly condition: string;
    readonly values: readonly SqlValue[];
    readonly order: string;
    readonly limit: number;
    readonly offset: number;
    /** Answers the total where it is known without counting. */
    readonly total?: () => number;
  },
): Page<FileRow> {
  const { condition, values, order, limit, offset } = request;
  const counted = (): number =>
    connection.count(`SELECT count(*) AS n FROM file f WHERE ${condition}`, ...values);
  const { total = counted } = request;
  const sees = makeSees(view);
  return connection.read(() => ({
    total: total(),
    items: connection
      .all<StoredFileRow>(
        // The inner query finds the ids of the page, for which an index is enough.
        `${selectFiles} WHERE f.id IN (
           SELECT f.id FROM file f WHERE ${condition} ORDER BY ${order} LIMIT ? OFFSET ?)
         ORDER BY ${order}`,
        ...values,
        limit,
        offset,
      )
      .map((row) => toFileRow(row, sees)),
  }));
}
