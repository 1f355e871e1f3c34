import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Connection } from '../connection/connection.ts';
import { isDamaged } from '../connection/database-error.ts';
import { indexSchema, indexSchemaVersion } from '../connection/index-schema.ts';
import { openDatabase } from '../connection/open-database.ts';
import { discardIndex } from './discard-index.ts';

/** Waiting blocks the thread, so not longer than a batch of another process can take. */
const busyTimeoutMs = 10_000;
const attemptsMax = 3;

/**
 * Opens the index at `file`, empty where there is none. One that is damaged, of another schema
 * or of another vault is thrown away first: everything in it can be read from the vault again.
 */
export async function openIndexDatabase(file: string, vault: string): Promise<Connection> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    let connection: Connection | undefined;
    try {
      connection = new Connection(await openDatabase(file));
      configure(connection);
      if (connection.write(() => isOurs(connection as Connection, vault))) return connection;
    } catch (error) {
      if (!isDamaged(error) || attempt === attemptsMax) {
        connection?.close();
        throw error;
      }
    }
    connection?.close();
    discardIndex(file);
  }
}

/**
 * A cache may lose its last transactions, but never break: hence WAL without a sync at each
 * commit. The log may grow to 32 MB, so that a build does not copy it back after every batch. The
 * cache is small: one of 96 MB made building full text no faster.
 */
function configure(connection: Connection): void {
  connection.exec(`
    PRAGMA busy_timeout = ${busyTimeoutMs};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -16000;
    PRAGMA temp_store = FILE;
    PRAGMA wal_autocheckpoint = 8000;
    PRAGMA journal_size_limit = 33554432;
  `);
}

/** Whether the file holds an index of this schema and vault; makes one in a new file. */
function isOurs(connection: Connection, vault: string): boolean {
  const version = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
  if (version === 0 && connection.count('SELECT count(*) AS n FROM sqlite_schema') === 0) {
    connection.exec(indexSchema);
    connection.run("INSERT INTO meta (name, value) VALUES ('vault', ?)", vault);
    connection.exec(`PRAGMA user_version = ${indexSchemaVersion}`);
    return true;
  }
  if (version !== indexSchemaVersion) return false;
  const stored = connection.get<{ value: string }>("SELECT value FROM meta WHERE name = 'vault'");
  return stored?.value === vault;
}
