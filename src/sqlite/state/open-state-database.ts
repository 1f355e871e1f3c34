import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { Connection } from '../connection/connection.ts';
import { openDatabase } from '../connection/open-database.ts';
import { whileBusy } from '../connection/while-busy.ts';
import { overwrittenId } from './give-back-space.ts';
import { stateSchemas } from './state-schema.ts';

/** How long opening waits for another process. */
const openBusyMs = 5_000;

/**
 * Opens the history at `file`; creates an empty one if there is none, and brings one of an earlier
 * Vaultdoor to the present schema. Any other file is left as it is: fails with `unavailable` when a newer Vaultdoor wrote it, else with `io_failed`.
 * For `light`, see `openSqliteState`.
 */
export async function openStateDatabase(
  file: string,
  { light = false }: { readonly light?: boolean } = {},
): Promise<Connection> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return whileBusy(openBusyMs, () => tryToOpen(file, light));
}

async function tryToOpen(file: string, light: boolean): Promise<Connection> {
  const connection = new Connection(await openDatabase(file));
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    if (light) connection.exec('PRAGMA wal_autocheckpoint = 0');
    if (connection.get<{ page_count: number }>('PRAGMA page_count')?.page_count === 0) {
      // Must be set before anything is written: only then can the file shrink later.
      connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
    }
    connection.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA journal_size_limit = 33554432;
      -- What is deleted is overwritten with zeros.
      PRAGMA secure_delete = ON;
    `);
    const version = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
    if (version !== stateSchemas.length) connection.write(() => createOrMigrate(connection, file));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Creates the tables in an empty file, and those that a history of an earlier version lacks; fails if
 * the file is something else. Runs in a transaction: after a crash the file is as before, or done.
 */
function createOrMigrate(connection: Connection, file: string): void {
  const version =
    connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (version === stateSchemas.length) return;
  const isEmpty =
    version === 0 && connection.count('SELECT count(*) AS n FROM sqlite_schema') === 0;
  if (isEmpty) connection.exec(`PRAGMA application_id = ${overwrittenId}`);
  if (isEmpty || (version > 0 && version < stateSchemas.length)) {
    for (const schema of stateSchemas.slice(version)) connection.exec(schema);
    connection.exec(`PRAGMA user_version = ${stateSchemas.length}`);
    return;
  }
  if (version > stateSchemas.length) {
    throw new VaultError(
      'unavailable',
      'A newer Vaultdoor wrote the history of this vault; use that one, or a newer one.',
      { details: { file, schema: version } },
    );
  }
  throw new VaultError(
    'io_failed',
    `"${file}" is not a history of Vaultdoor; move it to another place to begin a new one.`,
    { details: { file } },
  );
}
