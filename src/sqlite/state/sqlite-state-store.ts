import { assert } from '../../base/assert.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version, VersionStart } from '../../base/version.ts';
import type {
  ChangeFilter,
  ChangeId,
  ChangeState,
  ContentPut,
  HistoryBounds,
  NewChange,
  StateStore,
} from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { latestChange, listChanges, unfinishedChanges } from './change-queries.ts';
import {
  type ChangeRow,
  changeRow,
  forgetChanges,
  insertChange,
  insertNeeds,
  numberAfter,
  undoesOf,
} from './change-rows.ts';
import { keptVersions, putContents, readContent } from './content-store.ts';
import { foldChange, markUndone } from './finish-change.ts';
import { openStateDatabase } from './open-state-database.ts';
import { pruneHistory } from './prune-history.ts';
import { stateFailure } from './state-failure.ts';
import { wordKey } from './word-key.ts';

/**
 * Opens the journal and the history of a vault; creates an empty one if there is none. All calls run
 * synchronously on this thread. A file that is damaged, or that a newer Vaultdoor wrote, is left as
 * it is: opening fails with `io_failed` or `unavailable`, and the message says what to do. The numbers
 * of new changes are higher than `idsAfter`.
 */
export async function openSqliteState({
  file,
  idsAfter = 0,
}: {
  readonly file: string;
  readonly idsAfter?: ChangeId;
}): Promise<StateStore> {
  try {
    const connection = await openStateDatabase(file);
    if (idsAfter > 0) numberAfter(connection, idsAfter);
    return new SqliteStateStore(connection, file);
  } catch (error) {
    throw stateFailure(error, file);
  }
}

/** The states of a change: see `ChangeState`. */
class SqliteStateStore implements StateStore {
  readonly #connection: Connection;
  readonly #file: string;

  constructor(connection: Connection, file: string) {
    this.#connection = connection;
    this.#file = file;
  }

  async begin(
    change: NewChange,
    state: 'staging' | 'single',
    contents: readonly ContentPut[],
  ): Promise<ChangeId> {
    return this.#durably(() => {
      const id = insertChange(this.#connection, change, state);
      this.#put(id, contents);
      return id;
    });
  }

  async mark(id: ChangeId, contents: readonly ContentPut[]): Promise<void> {
    this.#durably(() => {
      this.#enter(id, 'marked');
      this.#put(id, contents);
    });
  }

  async unmark(id: ChangeId): Promise<void> {
    this.#durably(() => this.#enter(id, 'undoing'));
  }

  async finish(id: ChangeId, kept: readonly VaultPath[]): Promise<void> {
    this.#lightly(() => {
      this.#enter(id, 'done');
      this.#connection.run('UPDATE change SET kept = ? WHERE id = ?', JSON.stringify(kept), id);
      const row = this.#row(id);
      markUndone(this.#connection, id, undoesOf(row));
      foldChange(this.#connection, row);
    });
  }

  async drop(id: ChangeId): Promise<void> {
    this.#lightly(() => {
      assert(this.#row(id).state !== 'done', 'a change in the history is not dropped');
      forgetChanges(this.#connection, [id]);
    });
  }

  async unfinished() {
    return this.#attempt(() => unfinishedChanges(this.#connection));
  }

  async latest() {
    return this.#attempt(() => latestChange(this.#connection));
  }

  async changes(filter: ChangeFilter, page: { readonly limit: number; readonly offset: number }) {
    return this.#attempt(() => listChanges(this.#connection, filter, page));
  }

  async content(version: Version) {
    // In one transaction: it reads several rows, which another process may be rewriting.
    return this.#attempt(() => this.#connection.read(() => readContent(this.#connection, version)));
  }

  async versionsFrom(start: VersionStart, max: number) {
    return this.#attempt(() => keptVersions(this.#connection, start, max));
  }

  async wordKey(reader?: string) {
    return this.#attempt(() => wordKey(this.#connection, reader));
  }

  async prune(bounds: HistoryBounds) {
    this.#attempt(() => {
      this.#connection.exec('PRAGMA synchronous = NORMAL');
      pruneHistory(this.#connection, bounds);
    });
  }

  async close() {
    this.#attempt(() => this.#connection.close());
  }

  /** Runs a transaction that survives a power cut as soon as it has returned. */
  #durably<T>(work: () => T): T {
    return this.#attempt(() => {
      this.#connection.exec('PRAGMA synchronous = FULL');
      return this.#connection.write(work);
    });
  }

  /** Runs a transaction that a power cut may undo as a whole, until the next durable one. */
  #lightly<T>(work: () => T): T {
    return this.#attempt(() => {
      this.#connection.exec('PRAGMA synchronous = NORMAL');
      return this.#connection.write(work);
    });
  }

  /** Puts a change into a state. */
  #enter(id: ChangeId, state: ChangeState): void {
    assert(this.#row(id).state !== 'done', 'a change in the history keeps its state');
    this.#connection.run('UPDATE change SET state = ? WHERE id = ?', state, id);
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

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw stateFailure(error, this.#file);
    }
  }
}
