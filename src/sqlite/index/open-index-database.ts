import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { isBusy, isDamaged, isUnusable } from '../connection/database-error.ts';
import { openDatabase } from '../connection/open-database.ts';
import { releaseClosedFiles } from '../connection/release-closed-files.ts';
import { whileBusy } from '../connection/while-busy.ts';
import { IndexConnection } from '../tables/index-connection.ts';
import { indexSchema, indexSchemaVersion } from '../tables/index-schema.ts';

/** How long opening and writing wait for another process; a batch takes less than this. */
const indexBusyMs = 10_000;
/** How often opening is tried when the file turns out to be damaged. */
const attemptsMax = 3;

/**
 * Opens the index at `file`; creates an empty one if there is none. An index that is damaged, or of
 * another schema or vault, is deleted first, since everything in it can be read from the vault again.
 */
export async function openIndexDatabase(file: string, vault: string): Promise<IndexConnection> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      const open = () => tryToOpen(file, vault);
      const connection = await whileBusy(indexBusyMs, open);
      if (connection !== undefined) return connection;
    } catch (error) {
      if (!isDamaged(error) || attempt === attemptsMax) throw error;
    }
    await discardIndex(file);
  }
}

/** Opens the index at `file`, or creates it; undefined if it is of another schema or vault. */
async function tryToOpen(file: string, vault: string): Promise<IndexConnection | undefined> {
  const connection = new IndexConnection(await openDatabase(file));
  let isOurs = false;
  try {
    configure(connection);
    // Most often nothing has to be written: then opening does not wait for a process that writes.
    isOurs = isComplete(connection, vault);
    if (!isOurs) isOurs = connection.write(() => createOrCheck(connection, vault));
    return isOurs ? connection : undefined;
  } finally {
    if (!isOurs) connection.close();
  }
}

/**
 * The index is a cache: it may lose its last transactions, but must not break. Hence a write-ahead log
 * (WAL) without a sync at each commit. The log may grow to 32 MB, so that a build does not copy it
 * into the database after every batch. SQLite's cache is small: 96 MB did not build full text faster.
 */
function configure(connection: IndexConnection): void {
  connection.exec(`
    PRAGMA busy_timeout = 0;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -16000;
    PRAGMA temp_store = FILE;
    PRAGMA wal_autocheckpoint = 8000;
    PRAGMA journal_size_limit = 33554432;
  `);
}

/** Lets the index become at most so large; a write beyond that fails as on a full disk. */
export function limitSize(connection: IndexConnection, bytesMax: number): void {
  const page = connection.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 4_096;
  connection.exec(`PRAGMA max_page_count = ${Math.floor(bytesMax / page)}`);
}

/**
 * Creates the index in a new file. Returns false if the file has an index of another schema or vault.
 */
function createOrCheck(connection: IndexConnection, vault: string): boolean {
  const version = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
  if (version === 0 && connection.count('SELECT count(*) AS n FROM sqlite_schema') === 0) {
    connection.exec(indexSchema);
    connection.run("INSERT INTO meta (name, value) VALUES ('vault', ?)", vault);
    connection.run(addId);
    connection.exec(`PRAGMA user_version = ${indexSchemaVersion}`);
    return true;
  }
  if (version !== indexSchemaVersion || metaOf(connection, 'vault') !== vault) return false;
  if (metaOf(connection, 'id') === undefined) connection.run(addId); // An earlier version made it.
  return true;
}

/** Whether it is an index of this vault with all that an index has. */
function isComplete(connection: IndexConnection, vault: string): boolean {
  const version = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
  if (version !== indexSchemaVersion || metaOf(connection, 'vault') !== vault) return false;
  return metaOf(connection, 'id') !== undefined;
}

const addId = "INSERT INTO meta (name, value) VALUES ('id', lower(hex(randomblob(16))))";

function metaOf(connection: IndexConnection, name: string): string | undefined {
  return connection.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
}

/**
 * Which index is open: the id that it got when it was created, and its file. The file counts too,
 * because a copy of an older state has the same id.
 */
export function identityOfIndex(connection: IndexConnection, file: string): string {
  const id = metaOf(connection, 'id') ?? '';
  const stat =
    file === ':memory:' ? undefined : statSync(file, { bigint: true, throwIfNoEntry: false });
  return `${id} ${stat?.dev} ${stat?.ino}`;
}

/** The errors of Windows for the removal of a file that is open. */
const openElsewhere = ['EBUSY', 'EPERM', 'EACCES'];

/**
 * Deletes an index and the files that belong to it; succeeds if there is none. A process that has it
 * open goes on with the deleted file. Windows deletes no file that is open: there it fails with
 * `io_failed` and `details.unusable` while another process has the index open.
 */
export async function discardIndex(file: string): Promise<void> {
  if (file === ':memory:' || removeIndex(file)) return;
  await releaseClosedFiles();
  if (removeIndex(file)) return;
  throw new VaultError(
    'io_failed',
    'The index has to be built anew, but another process has it open: end other Vaultdoor servers and clients of this vault, then try again.',
    { details: { unusable: true } },
  );
}

/** Deletes the files of an index; false if one of them is open. */
function removeIndex(file: string): boolean {
  try {
    // The log first: if it were left behind, SQLite would replay it into the next index.
    for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(file + suffix, { force: true });
    return true;
  } catch (error) {
    if (process.platform !== 'win32' || !(error instanceof Error && 'code' in error)) throw error;
    if (!openElsewhere.includes(String(error.code))) throw error;
    return false;
  }
}

/**
 * Turns an error of SQLite into `io_failed`, with `details.damaged` when the index has to be deleted,
 * and `details.unusable` when its disk is full or may not be written.
 * Any other error is returned unchanged.
 */
export function indexFailure(error: unknown): unknown {
  if (isDamaged(error)) {
    return new VaultError('io_failed', 'The index is damaged; it has to be rebuilt.', {
      cause: error,
      details: { damaged: true },
    });
  }
  if (isBusy(error)) {
    return new VaultError('io_failed', 'Another process keeps the index busy; try again.', {
      cause: error,
      details: { busy: true },
    });
  }
  if (isUnusable(error)) {
    return new VaultError(
      'io_failed',
      'The search index cannot be used, because its disk is full or its folder may not be written; make room there, or set XDG_CACHE_HOME to another folder.',
      { cause: error, details: { unusable: true } },
    );
  }
  return error;
}

export interface SqliteIndexOptions {
  /** The index file, or `:memory:`. */
  readonly file: string;
  /** The file of the `IndexLease`; `<file>.lease` when absent. */
  readonly leaseFile?: string;
  /** Identifies the vault. An index of another vault is deleted and built anew. */
  readonly vault?: string;
  /** The index cannot become larger than this; by default it can. */
  readonly bytesMax?: number;
}

/** Does some work, waits for other processes, and turns errors of SQLite into those of `indexFailure`. */
export async function attempt<T>(work: () => T): Promise<T> {
  try {
    return await whileBusy(indexBusyMs, work);
  } catch (error) {
    throw indexFailure(error);
  }
}
