import { statSync } from 'node:fs';
import { isDamaged } from '../connection/database-error.ts';
import { type Database, openForReading } from '../connection/open-database.ts';
import { stateSchemas } from './state-schema.ts';

/** What a history is found to be, without changing it. */
type ExaminedState =
  | { readonly is: 'usable'; readonly wasReadWhole: boolean; readonly facts: StateFacts }
  | { readonly is: 'of a newer version' | 'damaged' | 'something else' };

interface StateFacts {
  readonly changes: number;
  /** Changes that were begun and neither finished nor taken back. */
  readonly unfinished: number;
  /** The bytes of all contents that are kept. */
  readonly bytes: number;
  /** The time of the newest change; absent when there is none. */
  readonly newestMs?: number;
}

/**
 * Looks at the history at `file`, which must exist; looks for damage only if it has at most
 * `readBytesMax`, because that reads all of it. Fails when it may not be read.
 */
export async function examineState(
  file: string,
  { readBytesMax }: { readonly readBytesMax: number },
): Promise<ExaminedState> {
  try {
    const database = await openForReading(file);
    try {
      const version = numberIn(database, 'PRAGMA user_version', 'user_version');
      if (version > stateSchemas.length) return { is: 'of a newer version' };
      const tables = numberIn(database, 'SELECT count(*) AS n FROM sqlite_schema', 'n');
      if (version === 0) {
        const none = { changes: 0, unfinished: 0, bytes: 0 };
        if (tables === 0) return { is: 'usable', wasReadWhole: true, facts: none };
        return { is: 'something else' };
      }
      const wasReadWhole = statSync(file).size <= readBytesMax;
      if (wasReadWhole && !isSound(database)) return { is: 'damaged' };
      return { is: 'usable', wasReadWhole, facts: factsIn(database) };
    } finally {
      database.close();
    }
  } catch (error) {
    if (isDamaged(error)) return { is: 'damaged' };
    throw error;
  }
}

function isSound(database: Database): boolean {
  const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() as {
    readonly quick_check: string;
  };
  return found === 'ok';
}

function factsIn(database: Database): StateFacts {
  const count = (sql: string): number => numberIn(database, sql, 'n');
  const newestMs = count('SELECT max(time) AS n FROM change');
  return {
    changes: count('SELECT count(*) AS n FROM change'),
    unfinished: count("SELECT count(*) AS n FROM change WHERE state <> 'done'"),
    bytes: count('SELECT bytes AS n FROM total'),
    ...(newestMs === 0 ? {} : { newestMs }),
  };
}

function numberIn(database: Database, sql: string, column: string): number {
  return Number((database.prepare(sql).get() as Readonly<Record<string, unknown>>)[column] ?? 0);
}
