import { limits } from '../../base/limits.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { fileKind, isParsed } from '../../engine/ports/file-kind.ts';
import type { FileEntry, FileStat } from '../../engine/ports/records.ts';
import { conflictOf } from '../../engine/text/conflict-of.ts';
import type { SqlValue } from '../connection/open-database.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness } from '../tables/index-schema.ts';

/** A stored file: which version is stored, and how much of it. */
export interface StoredFile {
  readonly id: number;
  readonly path: string;
  /** See `FileStat`. */
  readonly stamp: string;
  readonly present: boolean;
  /** See `isRead`. */
  readonly parsed: boolean;
  /** How up to date the stored facts and the full text are; see `freshness`. */
  readonly facts: number;
  readonly text: number;
}

/** The folded name by which links find a file. */
export function nameKey(path: string): string {
  return foldName(fileNameOf(path));
}

/** Whether a file is read at all: of a parsed kind, on this machine, and not too large. */
export function isRead(path: string, stat: FileStat): boolean {
  return stat.present && stat.size <= limits.noteBytesMax && isParsed(fileKind(path));
}

/**
 * The stored files at these paths, in the same order; undefined for a path that is not stored. SQLite
 * returns them as arrays in one row, and small values packed into one number: a hundred thousand rows
 * as JavaScript objects would cost more than the rest of a walk.
 */
export function storedFiles(
  connection: IndexConnection,
  paths: readonly string[],
): (StoredFile | undefined)[] {
  const row = connection.get<{ places: string; ids: string; stamps: string; states: string }>(
    `SELECT json_group_array(j.key) AS places,
       json_group_array(f.id) AS ids,
       json_group_array(f.stamp) AS stamps,
       json_group_array(f.facts * 16 + f.text * 4 + f.parsed * 2 + f.present) AS states
     FROM json_each(?) j CROSS JOIN file f ON f.path = j.value`,
    JSON.stringify(paths),
  );
  const files = new Array<StoredFile | undefined>(paths.length).fill(undefined);
  const places = numbersOf(row?.places);
  const ids = numbersOf(row?.ids);
  const stamps = JSON.parse(row?.stamps ?? '[]') as string[];
  const states = numbersOf(row?.states);
  places.forEach((place, at) => {
    const state = states[at] ?? 0;
    files[place] = {
      id: ids[at] ?? 0,
      path: paths[place] ?? '',
      stamp: stamps[at] ?? '',
      present: (state & 1) === 1,
      parsed: (state & 2) === 2,
      facts: state >> 4,
      text: (state >> 2) & 3,
    };
  });
  return files;
}

/** The numbers of a `json_group_array`. */
export function numbersOf(json: string | undefined): number[] {
  return JSON.parse(json ?? '[]') as number[];
}

/** In the order of `valuesOf`. */
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
  leads_to: '?',
};

/** Stores new files; returns their ids. The caller must resolve links to them afterwards. */
export function insertFiles(connection: IndexConnection, entries: readonly FileEntry[]): number[] {
  // Not the highest id in use: the ids of removed files must not be used again.
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
    entry.leadsTo ?? null,
  ];
}

/** Stores a newer stat of a file. Its facts and full text stay, but count as stale. */
export function updateFile(connection: IndexConnection, id: number, entry: FileEntry): void {
  const { path, size, mtimeMs, birthMs, stamp, present } = entry;
  connection.run(
    `UPDATE file SET size = ?, mtime = ?, birth = ?, stamp = ?, present = ?, parsed = ?, leads_to = ?,
       facts = min(facts, ${freshness.stale}), text = min(text, ${freshness.stale})
     WHERE id = ?`,
    size,
    mtimeMs,
    birthMs,
    stamp,
    present ? 1 : 0,
    isRead(path, entry) ? 1 : 0,
    entry.leadsTo ?? null,
    id,
  );
}

/** The tables that have the facts of files, and the texts of PDFs. */
const factTables = ['edge', 'note', 'tag', 'alias', 'base', 'problem', 'document'] as const;

export type FactTable = (typeof factTables)[number];

/** The column of a table that has the id of the file. */
export function fileColumn(table: FactTable): string {
  return table === 'edge' ? 'source' : 'file';
}

/** Removes what a table has of these files. */
export function removeRows(
  connection: IndexConnection,
  table: FactTable,
  ids: readonly number[],
): void {
  if (ids.length === 0) return;
  connection.run(
    `DELETE FROM ${table} WHERE ${fileColumn(table)} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
}

/** Removes the facts and the full text of these files. They stay known by name. */
export function removeContents(connection: IndexConnection, ids: readonly number[]): void {
  for (const table of factTables) removeRows(connection, table, ids);
  for (const id of ids) {
    connection.run('DELETE FROM fulltext WHERE rowid = ?', id);
    connection.run(
      `UPDATE file SET facts = ${freshness.none}, text = ${freshness.none}, shape = NULL WHERE id = ?`,
      id,
    );
  }
}
