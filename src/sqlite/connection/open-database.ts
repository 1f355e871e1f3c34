/** What a parameter may be and what a column answers. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A prepared statement: the part of `node:sqlite` that both libraries have since 22.13. */
export interface Statement {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

/** A database connection. Belongs to the thread that opened it. */
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

type DatabaseClass = new (file: string) => Database;

let loaded: Promise<DatabaseClass> | undefined;

/**
 * Opens a database file, or `:memory:`, and creates it where there is none. The library is
 * loaded at the first call: `node:sqlite` where the runtime has it, its twin for Node 20 else.
 */
export async function openDatabase(file: string): Promise<Database> {
  loaded ??= loadDatabaseClass();
  const DatabaseSync = await loaded;
  return new DatabaseSync(file);
}

/** Whether full text can be indexed here. */
export async function hasFullText(): Promise<boolean> {
  loaded ??= loadDatabaseClass();
  return isBuiltWithFullText(await loaded);
}

async function loadDatabaseClass(): Promise<DatabaseClass> {
  return builtinDatabaseClass() ?? (await import('@photostructure/sqlite')).DatabaseSync;
}

/** Node's own, unless it is absent, behind a flag, or built without full text. */
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
 * Node 22 warns on stderr when the module loads. Loading is synchronous, so nobody else's
 * warning can come between; all but this one pass through.
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
