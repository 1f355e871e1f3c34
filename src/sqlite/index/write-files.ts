import type { Json } from '../../base/json.ts';
import { fromJson } from '../../base/json.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf } from '../../base/vault-path.ts';
import type { FileEntry } from '../../engine/ports/records.ts';
import { folderRange } from '../connection/sql-values.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness } from '../tables/index-schema.ts';
import {
  insertFiles,
  isRead,
  nameKey,
  numbersOf,
  removeContents,
  storedFiles,
  updateFile,
} from './file-rows.ts';
import type { LinkTargets } from './link-targets.ts';
import { resolveAgain } from './resolve-again.ts';
import type { Walks } from './walks.ts';

/** How many files one transaction removes at most. */
const removeMax = 1_000;

/** What all writes to the index need. */
export interface Writer {
  readonly connection: IndexConnection;
  readonly targets: LinkTargets;
  readonly walks: Walks;
  /** Runs a write transaction, and first clears `targets` if another process has written. */
  write<T>(work: () => T): T;
}

/** See `IndexStore.seen`. A batch in which nothing changed writes nothing and takes no lock. */
export function seen(writer: Writer, walk: number, batch: Json<readonly FileEntry[]>): VaultPath[] {
  const { connection, walks } = writer;
  const entries = fromJson(batch);
  walks.begin(walk, () => lastFileId(connection));
  let compared = compareWithStored(connection, entries);
  if (compared.some(({ change }) => change !== 'none')) {
    const fresh = compared.filter(({ change }) => change === 'new');
    removeFiles(writer, displacedBy(connection, fresh));
    // Compared again inside the transaction, since another process may have written in between.
    compared = writer.write(() => {
      const again = compareWithStored(connection, entries);
      return store(writer, again);
    });
  }
  walks.saw(compared.map(({ id }) => id));
  return compared
    .filter(({ entry, facts }) => facts < freshness.current && isRead(entry.path, entry))
    .map(({ entry }) => entry.path);
}

/** See `IndexStore.confirm`. */
export function confirm(
  writer: Writer,
  files: readonly Pick<FileEntry, 'path' | 'stamp'>[],
): VaultPath[] {
  const sql = `UPDATE file SET facts = ${freshness.current}
    WHERE path = ? AND stamp = ? AND facts >= ${freshness.racy} RETURNING id`;
  return writer.write(() =>
    files
      .filter(({ path, stamp }) => writer.connection.get(sql, path, stamp) === undefined)
      .map(({ path }) => path),
  );
}

/** See `IndexStore.endWalk`. Files that were added after the walk began stay. */
export function endWalk(writer: Writer, walk: number, folder: VaultFolder): number {
  const isMissed = writer.walks.missedBy(walk);
  if (isMissed === undefined) return 0;
  const range = folderRange(folder);
  // As one row: rows for all files of a large vault would take more memory than all the rest here.
  const row = writer.connection.get<{ ids: string }>(
    `SELECT json_group_array(id) AS ids FROM file WHERE ${range.condition('path')}`,
    ...range.values,
  );
  const gone = numbersOf(row?.ids).filter(isMissed);
  removeFiles(writer, gone);
  writer.walks.end(walk);
  return gone.length;
}

/** See `IndexStore.forget`. */
export function forget(writer: Writer, paths: readonly VaultPath[]): void {
  const gone = new Set<number>();
  for (const path of paths) {
    const range = folderRange(path);
    const files = writer.connection.all<{ id: number }>(
      `SELECT id FROM file WHERE path = ? UNION ALL
       SELECT id FROM file WHERE ${range.condition('path')}`,
      path,
      ...range.values,
    );
    for (const { id } of files) gone.add(id);
  }
  removeFiles(writer, Array.from(gone));
}

/** See `IndexStore.forgetContents`. */
export function forgetContents(writer: Writer, paths: readonly VaultPath[]): void {
  if (paths.length === 0) return;
  const { connection } = writer;
  writer.write(() => {
    const read = connection.all<{ id: number }>(
      `SELECT f.id FROM json_each(?) j CROSS JOIN file f ON f.path = j.value
       WHERE f.facts > ${freshness.none} OR f.text > ${freshness.none}`,
      JSON.stringify(paths),
    );
    removeContents(
      connection,
      read.map(({ id }) => id),
    );
  });
}

/** Removes files in transactions of limited size, so that readers and other writers get their turn. */
function removeFiles(writer: Writer, ids: readonly number[]): void {
  for (let start = 0; start < ids.length; start += removeMax) {
    const some = ids.slice(start, start + removeMax);
    writer.write(() => {
      const { connection } = writer;
      const rows = connection.all<{ id: number; path: string }>(
        'SELECT f.id, f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value',
        JSON.stringify(some),
      );
      removeContents(
        connection,
        rows.map(({ id }) => id),
      );
      for (const { id } of rows) connection.run('DELETE FROM file WHERE id = ?', id);
      resolveAgain(connection, writer.targets, new Set(rows.map(({ path }) => nameKey(path))));
    });
  }
}

/** A file of a walk, and how it differs from what is stored. */
interface Compared {
  readonly entry: FileEntry;
  /** Zero for a file that is not stored yet. */
  readonly id: number;
  /** How up to date the stored facts are; see `freshness`. */
  readonly facts: number;
  /**
   * `stat`: the file is stored, but with another stamp, or it was absent. `link`: a symlink led to
   * another path, or does so now.
   */
  readonly change: 'new' | 'stat' | 'link' | 'none';
}

/** Compares entries of a walk with the stored files. */
function compareWithStored(connection: IndexConnection, entries: readonly FileEntry[]): Compared[] {
  const stored = storedFiles(
    connection,
    entries.map(({ path }) => path),
  );
  const links = storedLinks(connection);
  return entries.map((entry, at) => {
    const file = stored[at];
    if (file === undefined) return { entry, id: 0, facts: freshness.none, change: 'new' };
    const { id, facts } = file;
    if (links.get(id) !== entry.leadsTo) return { entry, id, facts, change: 'link' };
    const same = file.stamp === entry.stamp && file.present === entry.present;
    return { entry, id, facts, change: same ? 'none' : 'stat' };
  });
}

/** Where the stored symlinks lead, by file id; most vaults have none. */
function storedLinks(connection: IndexConnection): ReadonlyMap<number, string> {
  const rows = connection.all<{ id: number; leads_to: string }>(
    'SELECT id, leads_to FROM file WHERE leads_to IS NOT NULL',
  );
  return new Map(rows.map(({ id, leads_to }) => [id, leads_to]));
}

/**
 * The stored files that cannot exist any more, because new files are in their way: files under a path
 * that is now a file, and files at a path that is now a folder.
 */
function displacedBy(connection: IndexConnection, fresh: readonly Compared[]): number[] {
  if (fresh.length === 0) return [];
  const paths = fresh.map(({ entry }) => entry.path);
  const around = new Set<string>();
  for (const path of paths) {
    for (let at = folderOf(path); at !== '' && !around.has(at); at = folderOf(at)) around.add(at);
  }
  const row = connection.get<{ ids: string }>(
    `SELECT json_group_array(id) AS ids FROM (
       SELECT f.id FROM json_each(?) j
         CROSS JOIN file f ON f.path > j.value || '/' AND f.path < j.value || '0'
       UNION SELECT f.id FROM json_each(?) j CROSS JOIN file f ON f.path = j.value)`,
    JSON.stringify(paths),
    JSON.stringify(Array.from(around)),
  );
  return numbersOf(row?.ids);
}

/** Stores the new files and the new stats; returns the same files with their ids and freshness. */
function store({ connection, targets }: Writer, compared: readonly Compared[]): Compared[] {
  const isNew = compared.filter(({ change }) => change === 'new');
  // By path, so that a file that is reported twice is stored once.
  const fresh = Array.from(new Map(isNew.map(({ entry }) => [entry.path, entry])).values());
  const inserted = insertFiles(connection, fresh);
  const ids = new Map(fresh.map(({ path }, at) => [path, inserted[at] ?? 0]));
  const unread: number[] = [];
  const stored = compared.map((file): Compared => {
    const { entry, change } = file;
    if (change === 'new') return { ...file, id: ids.get(entry.path) ?? 0 };
    if (change === 'none') return file;
    updateFile(connection, file.id, entry);
    // An index built anew would have no contents of a file that is not read, so this one must not have
    // any either. What stood behind a symlink must not be shown to those who may only see what is behind the new one.
    if (change === 'link' || !isRead(entry.path, entry)) unread.push(file.id);
    if (change === 'link') return { ...file, facts: freshness.none };
    return { ...file, facts: Math.min(file.facts, freshness.stale) };
  });
  removeContents(connection, unread);
  resolveAgain(connection, targets, new Set(fresh.map(({ path }) => nameKey(path))));
  return stored;
}

function lastFileId(connection: IndexConnection): number {
  return connection.get<{ last: number | null }>('SELECT max(id) AS last FROM file')?.last ?? 0;
}
