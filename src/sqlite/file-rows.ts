import { limits } from '../base/limits.ts';
import { fileNameOf, foldName } from '../base/vault-path.ts';
import { conflictOf } from '../engine/conflict-of.ts';
import { fileKind, isParsed } from '../engine/file-kind.ts';
import type { FileEntry, FileStat } from '../engine/records.ts';
import type { Connection } from './connection.ts';
import { held } from './index-schema.ts';
import type { SqlValue } from './open-database.ts';

/** The state of a stored file. */
export interface StoredFile {
  readonly id: number;
  readonly path: string;
  readonly stamp: string;
  readonly mtime: number;
  readonly parsed: number;
  readonly facts: number;
  readonly text: number;
}

/** The name under which links look for a file. */
export function nameKey(path: string): string {
  return foldName(fileNameOf(path));
}

/** Whether a file is read at all: of a parsed kind, here, and not too large. */
export function isRead(path: string, stat: FileStat): boolean {
  return stat.present && stat.size <= limits.noteBytesMax && isParsed(fileKind(path));
}

/** The stored files at these paths, by path. */
export function storedFiles(
  connection: Connection,
  paths: readonly string[],
): Map<string, StoredFile> {
  const rows = connection.all<StoredFile>(
    `SELECT f.id, f.path, f.stamp, f.mtime, f.parsed, f.facts, f.text
     FROM json_each(?) j CROSS JOIN file f ON f.path = j.value`,
    JSON.stringify(paths),
  );
  return new Map(rows.map((row) => [row.path, row]));
}

const fileColumns = {
  id: '?',
  path: '?',
  name: '?',
  kind: '?',
  size: '?',
  mtime: '?',
  birth: '?',
  stamp: '?',
  present: '?',
  parsed: '?',
  conflict_of: '?',
};

/** Stores files that were not there; answers their ids. Links to them are resolved later. */
export function insertFiles(connection: Connection, entries: readonly FileEntry[]): number[] {
  // The sequence, not the highest id: the id of a removed file is never used again.
  const last = connection.count("SELECT seq AS n FROM sqlite_sequence WHERE name = 'file'");
  const ids = entries.map((_, at) => last + 1 + at);
  const values = entries.flatMap((entry, at) => [last + 1 + at, ...valuesOf(entry)]);
  connection.insert('file', fileColumns, values);
  return ids;
}

function valuesOf(entry: FileEntry): SqlValue[] {
  const { path, size, mtimeMs, birthMs, stamp, present } = entry;
  return [
    path,
    nameKey(path),
    fileKind(path),
    size,
    mtimeMs,
    birthMs,
    stamp,
    present ? 1 : 0,
    isRead(path, entry) ? 1 : 0,
    conflictOf(path) ?? null,
  ];
}

/** Stores what a newer look says. Facts and text stay, marked as those of an older stamp. */
export function updateFile(connection: Connection, id: number, entry: FileEntry): void {
  const { path, size, mtimeMs, birthMs, stamp, present } = entry;
  connection.run(
    `UPDATE file SET size = ?, mtime = ?, birth = ?, stamp = ?, present = ?, parsed = ?,
       facts = min(facts, ${held.stale}), text = min(text, ${held.stale})
     WHERE id = ?`,
    size,
    mtimeMs,
    birthMs,
    stamp,
    present ? 1 : 0,
    isRead(path, entry) ? 1 : 0,
    id,
  );
}
