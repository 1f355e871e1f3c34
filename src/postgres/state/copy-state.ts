import { VaultError } from '../../base/vault-error.ts';
import {
  type StateRow,
  type StateSource,
  type StateTable,
  stateTables,
} from '../../sqlite/rows/state-tables.ts';
import type { Postgres } from '../connection/postgres.ts';
import { joinSql, type Sql, sql, sqlText } from '../connection/sql.ts';
import type { VaultClaim } from './owned-vault.ts';

/** How many rows are read at a time, and of contents, which may be large. */
const batchRows = 500;
const batchContents = 20;
/** One statement has at most so many bytes of contents, unless one alone has more. */
const batchBytes = 4 * 1024 * 1024;

/** These refer to the row of the vault, so they are written with it. */
const late: readonly StateTable[] = ['question', 'proposal', 'day_total', 'word_reader'];
const early = (Object.keys(stateTables) as StateTable[]).filter((table) => !late.includes(table));

/** The state of a vault, for the owner of this fence number: nobody changes it meanwhile. */
export function stateInPostgres(postgres: Postgres, vault: number): StateSource {
  return {
    async head() {
      const row = await postgres.get<{
        change: number;
        question: number;
        proposal: number;
        key: Uint8Array | null;
      }>(sql`SELECT last_change AS change, last_question AS question, last_proposal AS proposal,
               word_key AS key FROM vault WHERE id = ${vault}`);
      if (row === undefined) throw new Error('there is no such vault');
      const { key, ...last } = row;
      return { last, ...(key === null ? {} : { wordKey: new Uint8Array(key) }) };
    },
    async *rows(table) {
      const limit = table === 'content' ? batchContents : batchRows;
      // By their place in the table, which does not change while nobody writes.
      for (let after = '(0,0)'; ; ) {
        const rows = await postgres.all<StateRow & { readonly at: string }>(sql`
          SELECT ctid::text AS at, ${columnsOf(table)} FROM ${sqlText(table)}
          WHERE vault = ${vault} AND ctid > ${after}::tid ORDER BY ctid LIMIT ${limit}`);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = last.at;
      }
    },
  };
}

/**
 * Adds a vault with the state of a source, and answers its number. The vault appears only when
 * everything is there; `beforeLast` is called before that. After a failure nothing is left, and
 * `afterUndone` is called when that is known. It is not known when PostgreSQL is lost with the last
 * statement: then nothing is deleted, because that may be the history of a vault that was added.
 */
export async function addVaultWithState(
  postgres: Postgres,
  vault: { readonly name: string; readonly path: string; readonly pinned?: string },
  {
    source,
    beforeLast,
    afterUndone,
  }: {
    readonly source: StateSource;
    readonly beforeLast: () => Promise<void>;
    readonly afterUndone: () => Promise<void>;
  },
): Promise<number> {
  const row = await postgres.get<{ id: number }>(
    sql`SELECT nextval(pg_get_serial_sequence('vault', 'id')) AS id`,
  );
  const id = row?.id ?? 0;
  /** The numbers of rows of `destroyed`, here by what they were there. */
  const numbers = new Map<unknown, number>();
  let isLast = false;
  try {
    const { last, wordKey } = await source.head();
    for (const table of early) {
      for await (const rows of source.rows(table)) {
        const put = table === 'destroyed' ? await renumbered(postgres, rows, numbers) : rows;
        for (const some of inBatches(put)) await postgres.all(insertRows(id, table, some));
      }
    }
    const ending: Sql[] = [];
    for (const table of late) {
      for await (const rows of source.rows(table)) ending.push(insertRows(id, table, rows));
    }
    isLast = true;
    await beforeLast();
    await postgres.script([
      sql`INSERT INTO vault (id, name, path, pinned, last_change, last_question, last_proposal,
            word_key, history_bytes)
          VALUES (${id}, ${vault.name}, ${vault.path}, ${vault.pinned ?? null}, ${last.change},
            ${last.question}, ${last.proposal}, ${wordKey ?? null},
            (SELECT coalesce(sum(length(bytes)), 0) FROM content WHERE vault = ${id}))`,
      ...ending,
    ]);
    return id;
  } catch (error) {
    const became = await undoAdding(postgres, id).catch(() => 'unknown');
    if (became === 'added') return id;
    if (became === 'unknown' && isLast) throw notKnown(vault.name, error);
    await afterUndone();
    throw error;
  }
}

/**
 * Deletes what was copied of a vault, unless the vault was added: only the answer was lost then. A last
 * statement that still runs at the server is waited for, since both insert the same number.
 */
async function undoAdding(postgres: Postgres, vault: number): Promise<'added' | 'undone'> {
  const name = `not added: ${vault}`;
  const isAdded = sql`EXISTS (SELECT 1 FROM vault WHERE id = ${vault})`;
  const rows = await postgres.script<{ id: number }>([
    sql`INSERT INTO vault (id, name, path) VALUES (${vault}, ${name}, ${name})
        ON CONFLICT (id) DO NOTHING`,
    sql`DELETE FROM vault WHERE id = ${vault} AND name = ${name}`,
    ...early.map((table) => sql`${deleteRows(vault, table)} AND NOT ${isAdded}`),
    sql`SELECT id FROM vault WHERE id = ${vault}`,
  ]);
  return rows.length > 0 ? 'added' : 'undone';
}

function notKnown(name: string, cause: unknown): VaultError {
  return new VaultError(
    'unavailable',
    `PostgreSQL was lost with the last statement, so it is not known whether "${name}" is in the cluster now. Programs without the cluster refuse the vault until that is clear: when PostgreSQL answers, "vaultdoor cluster status" lists "${name}", or import it again.`,
    { cause },
  );
}

/** Removes a vault and its state, if it still has this fence number. */
export async function removeVault(postgres: Postgres, { vault, epoch }: VaultClaim): Promise<void> {
  await postgres.script([
    sql`SELECT fence(${vault}, ${epoch})`,
    ...late.map((table) => deleteRows(vault, table)),
    sql`DELETE FROM token_vault WHERE vault = ${vault}`,
    // Before its contents: otherwise the trigger that counts them writes this row for each of them.
    sql`DELETE FROM vault WHERE id = ${vault}`,
    ...early.map((table) => deleteRows(vault, table)),
    sql`DELETE FROM read_log WHERE vault = ${vault}`,
  ]);
}

function columnsOf(table: StateTable): Sql {
  return sqlText(stateTables[table].join(', '));
}

function deleteRows(vault: number, table: StateTable): Sql {
  return sql`DELETE FROM ${sqlText(table)} WHERE vault = ${vault}`;
}

function insertRows(vault: number, table: StateTable, rows: readonly StateRow[]): Sql {
  const values = rows.map((row) => {
    const cells = stateTables[table].map((name) => sql`${row[name] ?? null}`);
    return sql`(${vault}, ${joinSql(cells, ', ')})`;
  });
  return sql`INSERT INTO ${sqlText(table)} (vault, ${columnsOf(table)})
    ${sqlText(table === 'destroyed' ? 'OVERRIDING SYSTEM VALUE' : '')} VALUES ${joinSql(values, ', ')}`;
}

/** The rows of `destroyed` with numbers of this database, which are added to `numbers`. */
async function renumbered(
  postgres: Postgres,
  rows: readonly StateRow[],
  numbers: Map<unknown, number>,
): Promise<readonly StateRow[]> {
  const given = await postgres.all<{ id: number }>(sql`
    SELECT nextval(pg_get_serial_sequence('destroyed', 'id')) AS id
    FROM generate_series(1, ${rows.length}::int)`);
  for (const [at, row] of rows.entries()) numbers.set(row['id'], given[at]?.id ?? 0);
  return rows.map((row) => ({
    ...row,
    id: numbers.get(row['id']) ?? 0,
    excuse: numbers.get(row['excuse']) ?? null,
  }));
}

function* inBatches(rows: readonly StateRow[]): Iterable<readonly StateRow[]> {
  let batch: StateRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const { bytes: content } = row;
    const more = content instanceof Uint8Array ? content.length : 0;
    if (batch.length > 0 && bytes + more > batchBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
