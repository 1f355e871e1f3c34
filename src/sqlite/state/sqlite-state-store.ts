import { assert } from '../../base/assert.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version, VersionStart } from '../../base/version.ts';
import type { Proposals } from '../../engine/ports/proposals.ts';
import type { Questions } from '../../engine/ports/questions.ts';
import type {
  ChangeFilter,
  ChangeId,
  ChangeState,
  ContentPut,
  HistoryBounds,
  NewChange,
  SingleRecord,
} from '../../engine/ports/state-store.ts';
import type {
  DayTotals,
  FinishedChange,
  GivenNumbers,
  VaultState,
} from '../../engine/ports/vault-state.ts';
import type { Connection } from '../connection/connection.ts';
import { type ChangeRow, undoesOf } from '../rows/change-row.ts';
import {
  latestChange,
  listChanges,
  summarizeChanges,
  unfinishedChanges,
} from './change-queries.ts';
import {
  changeRow,
  forgetChanges,
  givenNumbers,
  insertChange,
  insertNeeds,
  numberAfter,
} from './change-rows.ts';
import { keptVersions, putContents, readContent } from './content-store.ts';
import { countDestroyed, destroyedFiles, destroyingChanges } from './destroyed-files.ts';
import { foldChange, markUndone } from './finish-change.ts';
import { openStateDatabase } from './open-state-database.ts';
import { pruneHistory } from './prune-history.ts';
import { SqliteDayTotals } from './sqlite-day-totals.ts';
import { acceptProposal, checkProposalOpen, SqliteProposals } from './sqlite-proposals.ts';
import { SqliteQuestions } from './sqlite-questions.ts';
import { StateConnection } from './state-connection.ts';
import { stateFailure } from './state-failure.ts';
import { wordKey } from './word-key.ts';

/**
 * Opens the journal and the history of a vault, with what waits for its owner; creates an empty one
 * if there is none. All calls run synchronously on this thread. While another connection writes, a
 * call fails at once with `details.busy`, and can be repeated. A file that is damaged, or that a newer
 * Vaultdoor wrote, is left as it is: opening fails with `io_failed` or `unavailable`, and the message
 * says what to do. New records get numbers higher than `after`.
 *
 * A `light` state is for a thread that must not wait for the disk: the caller flushes the file of the
 * write-ahead log (`<file>-wal`) after each call that has to be durable. The log is not copied into
 * the file (`checkpoint`): another connection has to do that.
 */
export async function openSqliteState({
  file,
  after = {},
  light = false,
}: {
  readonly file: string;
  readonly after?: GivenNumbers;
  readonly light?: boolean;
}): Promise<VaultState> {
  try {
    const connection = await openStateDatabase(file, { light });
    try {
      numberAfter(connection, after);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new SqliteStateStore(connection, file, { flushes: !light });
  } catch (error) {
    throw stateFailure(error, file);
  }
}

/** The states of a change: see `ChangeState`. */
class SqliteStateStore implements VaultState {
  readonly questions: Questions;
  readonly proposals: Proposals;
  readonly dayTotals: DayTotals;
  readonly #state: StateConnection;
  readonly #connection: Connection;

  constructor(connection: Connection, file: string, how: { readonly flushes: boolean }) {
    this.#connection = connection;
    this.#state = new StateConnection(connection, file, how);
    this.questions = new SqliteQuestions(this.#state);
    this.proposals = new SqliteProposals(this.#state);
    this.dayTotals = new SqliteDayTotals(this.#state);
  }

  async begin(
    change: NewChange,
    state: 'staging' | 'single',
    contents: readonly ContentPut[],
  ): Promise<ChangeId> {
    return this.#state.durably(() => this.#insert(change, state, contents));
  }

  async beginSingles(changes: readonly SingleRecord[]): Promise<readonly ChangeId[]> {
    return this.#state.durably(() =>
      changes.map(({ change, contents }) => this.#insert(change, 'single', contents)),
    );
  }

  async mark(id: ChangeId, contents: readonly ContentPut[]): Promise<void> {
    this.#state.durably(() => {
      this.#enter(id, 'marked');
      this.#put(id, contents);
    });
  }

  async unmark(id: ChangeId): Promise<void> {
    this.#state.durably(() => this.#enter(id, 'undoing'));
  }

  finish(id: ChangeId, kept: readonly VaultPath[]): Promise<void> {
    return this.finishAll([[id, kept]]);
  }

  async finishAll(finished: readonly FinishedChange[]): Promise<void> {
    this.#state.lightly(() => {
      for (const [id, kept] of finished) {
        const done = { state: 'done', kept: JSON.stringify(kept) } as const;
        const row = { ...this.#unfinishedRow(id), ...done };
        const sql = 'UPDATE change SET state = ?, kept = ? WHERE id = ?';
        this.#connection.run(sql, row.state, row.kept, id);
        countDestroyed(this.#connection, id);
        markUndone(this.#connection, id, undoesOf(row));
        foldChange(this.#connection, row);
        if (row.proposal !== null) acceptProposal(this.#connection, row.proposal, row);
      }
    });
  }

  async drop(id: ChangeId): Promise<void> {
    this.#state.lightly(() => {
      assert(this.#row(id).state !== 'done', 'a change in the history is not dropped');
      forgetChanges(this.#connection, [id]);
    });
  }

  async unfinished() {
    return this.#state.attempt(() => unfinishedChanges(this.#connection));
  }

  async latest() {
    return this.#state.attempt(() => latestChange(this.#connection));
  }

  async changes(filter: ChangeFilter, page: { readonly limit: number; readonly offset: number }) {
    return this.#state.attempt(() => listChanges(this.#connection, filter, page));
  }

  async summaries(filter: ChangeFilter, max: number) {
    return this.#state.attempt(() => summarizeChanges(this.#connection, filter, max));
  }

  async destroyedFiles(
    asker: string,
    span: { readonly sinceMs: number; readonly untilMs: number },
  ) {
    return this.#state.attempt(() => destroyedFiles(this.#connection, asker, span));
  }

  async destroyingChanges(
    asker: string,
    span: { readonly sinceMs: number; readonly untilMs: number },
    max: number,
  ) {
    return this.#state.attempt(() => destroyingChanges(this.#connection, asker, span, max));
  }

  async content(version: Version) {
    // In one transaction: it reads several rows, which another process may be rewriting.
    return this.#state.attempt(() =>
      this.#connection.read(() => readContent(this.#connection, version)),
    );
  }

  async versionsFrom(start: VersionStart, max: number) {
    return this.#state.attempt(() => keptVersions(this.#connection, start, max));
  }

  async numbers() {
    return this.#state.attempt(() => givenNumbers(this.#connection));
  }

  async wordKey(reader?: string) {
    return this.#state.attempt(() => wordKey(this.#connection, reader));
  }

  async prune(bounds: HistoryBounds) {
    this.#state.attempt(() => {
      this.#state.synchronize('NORMAL');
      pruneHistory(this.#connection, bounds);
    });
  }

  async checkpoint() {
    // The first copies what it can while others write. The second copies the rest and lets the log begin
    // anew: nobody can write while it waits for a reader, so it waits briefly, and a later one succeeds.
    this.#state.attempt(() => {
      this.#connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
      this.#connection.patiently(() => this.#connection.exec('PRAGMA wal_checkpoint(RESTART)'));
    });
  }

  async close() {
    this.#state.attempt(() => this.#connection.close());
  }

  /** Stores a change and its contents; returns its number. */
  #insert(change: NewChange, state: ChangeState, contents: readonly ContentPut[]): ChangeId {
    if (change.proposal !== undefined) checkProposalOpen(this.#connection, change.proposal);
    const versions = contents.map(({ version }) => version);
    const id = insertChange(this.#connection, change, state, versions);
    putContents(this.#connection, contents);
    return id;
  }

  /** Puts a change into a state. */
  #enter(id: ChangeId, state: ChangeState): void {
    this.#unfinishedRow(id);
    this.#connection.run('UPDATE change SET state = ? WHERE id = ?', state, id);
  }

  #unfinishedRow(id: ChangeId): ChangeRow {
    const row = this.#row(id);
    assert(row.state !== 'done', 'a change in the history keeps its state');
    return row;
  }

  /** Stores contents, and records that the change needs them. */
  #put(id: ChangeId, contents: readonly ContentPut[]): void {
    const versions = contents.map(({ version }) => version);
    insertNeeds(this.#connection, id, versions);
    putContents(this.#connection, contents);
  }

  #row(id: ChangeId): ChangeRow {
    const row = changeRow(this.#connection, id);
    assert(row !== undefined, 'a change is known until it is dropped');
    return row;
  }
}
