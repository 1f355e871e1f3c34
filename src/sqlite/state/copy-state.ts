import type { Connection } from '../connection/connection.ts';
import {
  type StateHead,
  type StateRow,
  type StateSource,
  type StateTable,
  stateTables,
} from '../rows/state-tables.ts';
import { openStateDatabase } from './open-state-database.ts';
import { dayTable } from './sqlite-day-totals.ts';
import { stateFailure } from './state-failure.ts';
import { wordTables } from './word-key.ts';

/** How many rows are read at a time. */
const batchRows = 100;
const numbered = ['change', 'question', 'proposal'] as const;

/** The state in a file, to be copied elsewhere or replaced. The caller holds the commit lock. */
export interface StateFile extends StateSource {
  /** Replaces everything that is in the file, all or nothing. */
  replace(source: StateSource): Promise<void>;
  close(): void;
}

/** Opens the state in a file. Fails as opening the history fails. */
export async function openStateFile(file: string): Promise<StateFile> {
  const connection = await openStateDatabase(file).catch((error: unknown) => {
    throw stateFailure(error, file);
  });
  connection.exec(dayTable);
  connection.exec(wordTables);
  return {
    head: async () => headOf(connection),
    async *rows(table) {
      let batch: StateRow[] = [];
      const columns = stateTables[table].join(', ');
      for (const row of connection.iterate<StateRow>(`SELECT ${columns} FROM ${table}`)) {
        batch.push(row);
        if (batch.length < batchRows) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    replace: (source) => replaceState(connection, source),
    close: () => connection.close(),
  };
}

function headOf(connection: Connection): StateHead {
  const last = (table: string): number =>
    connection.count('SELECT seq AS n FROM sqlite_sequence WHERE name = ?', table);
  const key = connection.get<{ key: Uint8Array }>('SELECT key FROM word_key')?.key;
  return {
    last: { change: last('change'), question: last('question'), proposal: last('proposal') },
    ...(key === undefined ? {} : { wordKey: key }),
  };
}

async function replaceState(connection: Connection, source: StateSource): Promise<void> {
  const { last, wordKey } = await source.head();
  const tables = Object.keys(stateTables) as StateTable[];
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const table of [...tables, 'word_key', 'sqlite_sequence']) {
      connection.exec(`DELETE FROM ${table}`);
    }
    for (const table of tables) {
      const columns = stateTables[table];
      const places = columns.map(() => '?').join(', ');
      const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
      for await (const rows of source.rows(table)) {
        for (const row of rows) connection.run(insert, ...columns.map((name) => row[name] ?? null));
      }
    }
    for (const table of numbered) {
      connection.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
      connection.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, last[table]);
    }
    if (wordKey !== undefined) connection.run('INSERT INTO word_key (key) VALUES (?)', wordKey);
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}
