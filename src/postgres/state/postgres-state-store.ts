import { randomBytes } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version, VersionStart } from '../../base/version.ts';
import type {
  ChangeFilter,
  ChangeId,
  ContentPut,
  HistoryBounds,
  NewChange,
  SingleRecord,
  WordKey,
} from '../../engine/ports/state-store.ts';
import type { DayTotal, DayTotals, VaultState } from '../../engine/ports/vault-state.ts';
import type { ChangeRow } from '../../sqlite/rows/change-row.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';
import { beginChanges, markChange } from './begin-changes.ts';
import {
  changeRow,
  latestChange,
  listChanges,
  summarizeChanges,
  unfinishedChanges,
} from './change-queries.ts';
import { keptVersions, readContent } from './contents.ts';
import { destroyedFiles, destroyingChanges } from './destroyed-files.ts';
import { finishChange } from './finish-change.ts';
import { forgetChanges } from './forget-changes.ts';
import { OwnedVault, type VaultClaim, type WriteWatch } from './owned-vault.ts';
import { PostgresProposals } from './postgres-proposals.ts';
import { PostgresQuestions } from './postgres-questions.ts';
import { pruneHistory } from './prune-history.ts';

/** What a node needs of a vault's state: `VaultState` without what only a file of SQLite needs. */
type ClusterState = Omit<VaultState, 'finishAll' | 'numbers' | 'checkpoint'>;

/**
 * The journal and the history of a vault in PostgreSQL, with what waits for its owner, for the node
 * that owns the vault with this fence number. As soon as the vault has a higher one, every call that
 * changes something fails with `unavailable` and `details.fenced`. After a write whose answer was lost,
 * `watch` is told, and every later one fails with `details.moved`. `close` leaves the connections open.
 */
export function openPostgresState(
  postgres: Postgres,
  claim: VaultClaim,
  watch?: WriteWatch,
): ClusterState {
  return new PostgresStateStore(new OwnedVault(postgres, claim, watch));
}

class PostgresStateStore implements ClusterState {
  readonly questions: PostgresQuestions;
  readonly proposals: PostgresProposals;
  readonly dayTotals: DayTotals;
  readonly #vault: OwnedVault;

  constructor(vault: OwnedVault) {
    this.#vault = vault;
    this.questions = new PostgresQuestions(vault);
    this.proposals = new PostgresProposals(vault);
    this.dayTotals = {
      put: (total) => putDayTotal(vault, total),
      list: (max) => listDayTotals(vault, max),
    };
  }

  async begin(
    change: NewChange,
    state: 'staging' | 'single',
    contents: readonly ContentPut[],
  ): Promise<ChangeId> {
    const [id] = await this.#vault.writeInTurn(() =>
      beginChanges(this.#vault, [{ change, contents }], state),
    );
    assert(id !== undefined, 'a change that was begun has a number');
    return id;
  }

  beginSingles(changes: readonly SingleRecord[]): Promise<readonly ChangeId[]> {
    return this.#vault.writeInTurn(() => beginChanges(this.#vault, changes, 'single'));
  }

  async mark(id: ChangeId, contents: readonly ContentPut[]): Promise<void> {
    const isOpen = await this.#vault.writeInTurn(() => markChange(this.#vault, id, contents));
    if (!isOpen) await this.#openRow(id);
  }

  async unmark(id: ChangeId): Promise<void> {
    await this.#vault.write(async () => {
      await this.#openRow(id);
      const { id: vault } = this.#vault;
      return [sql`UPDATE change SET state = 'undoing' WHERE vault = ${vault} AND id = ${id}`];
    }, 'durable');
  }

  async finish(id: ChangeId, kept: readonly VaultPath[]): Promise<void> {
    await this.#vault.write(
      async () => finishChange(this.#vault, await this.#openRow(id), kept),
      'light',
    );
  }

  async drop(id: ChangeId): Promise<void> {
    await this.#vault.write(async () => {
      await this.#openRow(id);
      const { id: vault } = this.#vault;
      return [
        sql`DELETE FROM made_call WHERE vault = ${vault} AND change = ${id}`,
        ...(await forgetChanges(this.#vault, [id])),
      ];
    }, 'light');
  }

  // Questions about changes wait for what was written before: a change whose end is still on its way would
  // look as if it had to be recovered.

  unfinished() {
    return this.#vault.inTurn(async () => {
      // A mark whose answer was lost may come later than this question.
      this.#vault.checkCertain();
      return unfinishedChanges(this.#vault);
    });
  }

  latest() {
    return this.#vault.inTurn(() => latestChange(this.#vault));
  }

  changes(filter: ChangeFilter, page: { readonly limit: number; readonly offset: number }) {
    return this.#vault.inTurn(() => listChanges(this.#vault, filter, page));
  }

  summaries(filter: ChangeFilter, max: number) {
    return this.#vault.inTurn(() => summarizeChanges(this.#vault, filter, max));
  }

  destroyedFiles(asker: string, span: { readonly sinceMs: number; readonly untilMs: number }) {
    return this.#vault.inTurn(() => destroyedFiles(this.#vault, asker, span));
  }

  destroyingChanges(
    asker: string,
    span: { readonly sinceMs: number; readonly untilMs: number },
    max: number,
  ) {
    return destroyingChanges(this.#vault, asker, span, max);
  }

  content(version: Version) {
    return readContent(this.#vault, version);
  }

  versionsFrom(start: VersionStart, max: number) {
    return keptVersions(this.#vault, start, max);
  }

  wordKey(reader?: string) {
    return wordKey(this.#vault, reader);
  }

  prune(bounds: HistoryBounds) {
    return pruneHistory(this.#vault, bounds);
  }

  async close() {}

  /** The row of a change that is not history yet. */
  async #openRow(id: ChangeId): Promise<ChangeRow> {
    const row = await changeRow(this.#vault, id);
    // A later owner of the vault may have dropped or finished it.
    if (row === undefined || row.state === 'done') await this.#vault.checkOwned();
    assert(row !== undefined, 'a change is known until it is dropped');
    assert(row.state !== 'done', 'a change in the history keeps its state and is not dropped');
    return row;
  }
}

async function putDayTotal(vault: OwnedVault, { day, notes, bytes }: DayTotal): Promise<void> {
  const { id } = vault;
  await vault.write(
    async () => [
      sql`INSERT INTO day_total (vault, day, notes, bytes) VALUES (${id}, ${day}, ${notes}, ${bytes})
          ON CONFLICT DO NOTHING`,
      sql`DELETE FROM day_total WHERE vault = ${id} AND day <= (
            SELECT day FROM day_total WHERE vault = ${id}
            ORDER BY day DESC LIMIT 1 OFFSET ${limits.totalDaysMax})`,
    ],
    'light',
  );
}

function listDayTotals({ postgres, id }: OwnedVault, max: number): Promise<readonly DayTotal[]> {
  return postgres.all<DayTotal>(sql`
    SELECT day, notes, bytes FROM day_total WHERE vault = ${id} ORDER BY day DESC LIMIT ${max}`);
}

/** See `StateStore.wordKey`. */
async function wordKey(vault: OwnedVault, reader: string | undefined): Promise<WordKey> {
  const { id } = vault;
  const known = await storedKey(vault);
  if (known !== undefined && (reader === undefined || known.readers.includes(reader))) return known;
  await vault.write(
    async () => [
      sql`UPDATE vault SET word_key = ${randomBytes(32)} WHERE id = ${id} AND word_key IS NULL`,
      ...(reader === undefined
        ? []
        : [
            sql`INSERT INTO word_reader (vault, reader) VALUES (${id}, ${reader})
                ON CONFLICT DO NOTHING`,
            sql`DELETE FROM word_reader WHERE vault = ${id} AND seq IN (
                  SELECT seq FROM word_reader WHERE vault = ${id}
                  ORDER BY seq DESC OFFSET ${limits.wordReadersMax})`,
          ]),
    ],
    'durable',
  );
  const stored = await storedKey(vault);
  assert(stored !== undefined, 'the key was just made');
  return stored;
}

async function storedKey({ postgres, id }: OwnedVault): Promise<WordKey | undefined> {
  const rows = await postgres.all<{ key: Uint8Array; reader: string | null }>(sql`
    SELECT word_key AS key, reader FROM vault LEFT JOIN word_reader ON word_reader.vault = vault.id
    WHERE vault.id = ${id} AND word_key IS NOT NULL ORDER BY seq DESC`);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    key: Uint8Array.from(first.key),
    readers: rows.flatMap(({ reader }) => reader ?? []),
  };
}
