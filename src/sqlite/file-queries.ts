import { limits } from '../base/limits.ts';
import type { VaultPath } from '../base/vault-path.ts';
import { pathKey } from '../base/vault-path.ts';
import type { FileRow, IndexStatus, IndexStore, Page } from '../engine/index-store.ts';
import type { FileKind } from '../engine/records.ts';
import type { View } from '../engine/view.ts';
import { makeSees } from '../engine/view.ts';
import type { Connection } from './connection.ts';
import { nameKey } from './file-rows.ts';
import { folderRange } from './folder-range.ts';
import { held, lacksContents } from './index-schema.ts';
import type { SqlValue } from './open-database.ts';

/** How a query begins that answers `FileRow`s; `o` is the file that `f` is a copy of. */
export const selectFiles = `SELECT f.path, f.kind, f.size, f.mtime, f.birth, f.present,
  o.path AS original FROM file f LEFT JOIN file o ON o.path = f.conflict_of`;

export interface StoredFileRow {
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly size: number;
  readonly mtime: number;
  readonly birth: number;
  readonly present: number;
  readonly original: VaultPath | null;
}

/** A stored row as the port speaks; an original that the view hides is not mentioned. */
export function toFileRow(row: StoredFileRow, sees: (path: string) => boolean): FileRow {
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
export function status(connection: Connection, view: View): IndexStatus {
  const row = connection.get<IndexStatus>(
    `SELECT count(*) AS files,
       coalesce(sum(parsed), 0) AS notes,
       coalesce(sum(parsed AND facts >= ${held.racy}), 0) AS indexed,
       coalesce(sum(parsed AND text = ${held.current}), 0) AS searchable,
       coalesce(sum(NOT present), 0) AS absent
     FROM file WHERE ${connection.sees(view, 'path')}`,
  );
  return { files: 0, notes: 0, indexed: 0, searchable: 0, absent: 0, ...row };
}

/** See `IndexStore.file`. */
export function file(connection: Connection, view: View, path: VaultPath): FileRow | undefined {
  const sees = makeSees(view);
  if (!sees(path)) return undefined;
  const row = connection.get<StoredFileRow>(`${selectFiles} WHERE f.path = ?`, path);
  return row === undefined ? undefined : toFileRow(row, sees);
}

/** See `IndexStore.filesByKey`. */
export function filesByKey(connection: Connection, view: View, key: string): FileRow[] {
  return filesByName(connection, view, [nameKey(key)]).filter((row) => pathKey(row.path) === key);
}

/** See `IndexStore.filesByName`. */
export function filesByName(
  connection: Connection,
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
  connection: Connection,
  view: View,
  request: Parameters<IndexStore['files']>[1],
): Page<FileRow> {
  const range = folderRange(request.folder);
  const condition = `${range.condition('f.path')}
    AND f.kind IN (SELECT value FROM json_each(?)) AND ${connection.sees(view, 'f.path')}`;
  return filePage(connection, view, {
    condition,
    values: [...range.values, JSON.stringify(request.kinds)],
    order: orders[request.sort],
    limit: request.limit,
    offset: request.offset,
  });
}

/** See `IndexStore.conflicts`: copies whose original is there, and both are seen. */
export function conflicts(connection: Connection, view: View): FileRow[] {
  const sees = makeSees(view);
  return connection
    .all<StoredFileRow>(
      `${selectFiles} WHERE f.conflict_of IS NOT NULL AND o.id IS NOT NULL ORDER BY f.path`,
    )
    .map((row) => toFileRow(row, sees))
    .filter((row) => row.conflictOf !== undefined && sees(row.path));
}

/** See `IndexStore.unparsed`. The condition is that of an index, so only such files are looked at. */
export function unparsed(
  connection: Connection,
  view: View,
): { path: VaultPath; reason: string }[] {
  connection.wantLateIndexes();
  return connection
    .all<Pick<StoredFileRow, 'path' | 'size' | 'present'>>(
      `SELECT path, size, present FROM file
       WHERE ${lacksContents} AND ${connection.sees(view, 'path')} ORDER BY path`,
    )
    .map((row) => ({ path: row.path, reason: unparsedReason(row) }));
}

function unparsedReason({ size, present }: Pick<StoredFileRow, 'size' | 'present'>): string {
  if (present === 0) return 'not downloaded';
  return size > limits.noteBytesMax ? 'too large to read' : 'could not be read';
}

/** One page of the files that fulfil a condition on `f`, with how many there are. */
export function filePage(
  connection: Connection,
  view: View,
  request: {
    readonly condition: string;
    readonly values: readonly SqlValue[];
    readonly order: string;
    readonly limit: number;
    readonly offset: number;
  },
): Page<FileRow> {
  const { condition, values, order, limit, offset } = request;
  const sees = makeSees(view);
  return connection.read(() => ({
    total: connection.count(`SELECT count(*) AS n FROM file f WHERE ${condition}`, ...values),
    items: connection
      .all<StoredFileRow>(
        `${selectFiles} WHERE ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map((row) => toFileRow(row, sees)),
  }));
}
