import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { VaultError } from '../../base/vault-error.ts';
import { keepPrivate } from './keep-private.ts';

/** The type of a parameter of a statement, and of a column in a row. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A prepared statement, as far as `node:sqlite` (since 22.13) and the library for Node 20 agree. */
export interface Statement {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

/** A database connection. May be used only on the thread that opened it. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  function(
    name: string,
    options: { readonly deterministic: boolean },
    call: (...values: SqlValue[]) => SqlValue,
  ): void;
  close(): void;
}

type DatabaseClass = new (file: string, options?: { readonly readOnly: boolean }) => Database;

let loaded: Promise<DatabaseClass> | undefined;

/**
 * Opens a database file, or `:memory:`, and creates it, for its owner only, if it does not exist. The library is loaded at
 * the first call: `node:sqlite` if Node has it, else `@photostructure/sqlite`, which has the same API.
 */
export async function openDatabase(file: string): Promise<Database> {
  loaded ??= loadDatabaseClass();
  const DatabaseSync = await loaded;
  if (file !== ':memory:') keepPrivate(file);
  return new DatabaseSync(file);
}

/**
 * Opens a database file for reading, without creating or changing any file and without keeping
 * writers waiting. Fails when there is no such file.
 */
export async function openForReading(file: string): Promise<Database> {
  loaded ??= loadDatabaseClass();
  const DatabaseSync = await loaded;
  // SQLite would create the two files of a write-ahead log. Where they are missing, nobody writes,
  // and everything is in the file itself.
  const isInUse = existsSync(`${file}-wal`) && existsSync(`${file}-shm`);
  const name = isInUse ? file : `${pathToFileURL(file).href}?immutable=1`;
  return new DatabaseSync(name, { readOnly: true });
}

/** Which SQLite library is used, and its version. Fails when it cannot be loaded. */
export async function sqliteLibrary(): Promise<{
  readonly origin: 'node:sqlite' | '@photostructure/sqlite';
  readonly version: string;
}> {
  loaded ??= loadDatabaseClass();
  const DatabaseSync = await loaded;
  const probe = new DatabaseSync(':memory:');
  const { version } = probe.prepare('SELECT sqlite_version() AS version').get() as {
    readonly version: string;
  };
  probe.close();
  const isBuiltin = builtinDatabaseClass() !== undefined;
  return { origin: isBuiltin ? 'node:sqlite' : '@photostructure/sqlite', version };
}

/** Whether the SQLite library has full-text search. */
export async function hasFullText(): Promise<boolean> {
  loaded ??= loadDatabaseClass();
  return isBuiltWithFullText(await loaded);
}

async function loadDatabaseClass(): Promise<DatabaseClass> {
  const builtin = builtinDatabaseClass();
  if (builtin !== undefined) return builtin;
  try {
    return (await import('@photostructure/sqlite')).DatabaseSync;
  } catch (cause) {
    // npm leaves the package out with --omit=optional, and where it has no build for the platform.
    throw new VaultError(
      'unavailable',
      `This Node (${process.version}) has no SQLite with full-text search of its own, and the package @photostructure/sqlite, which has one, is not installed or does not run here. Use Node 22.16 or newer, or install Vaultdoor with its optional packages.`,
      { cause },
    );
  }
}

/** Node's own library; undefined when it is missing, behind a flag, or built without full text. */
function builtinDatabaseClass(): DatabaseClass | undefined {
  const builtin = withoutSqliteWarning(() => {
    try {
      return process.getBuiltinModule?.('node:sqlite') as
        | { readonly DatabaseSync: DatabaseClass }
        | undefined;
    } catch {
      return undefined;
    }
  });
  if (builtin === undefined) return undefined;
  return isBuiltWithFullText(builtin.DatabaseSync) ? builtin.DatabaseSync : undefined;
}

function isBuiltWithFullText(DatabaseSync: DatabaseClass): boolean {
  const probe = new DatabaseSync(':memory:');
  const answer = probe.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS used").get();
  probe.close();
  return (answer as { readonly used: number }).used === 1;
}

/**
 * Loads the module without the warning that Node 22 prints on stderr. All other warnings pass
 * through.
 */
function withoutSqliteWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
