import type { Door } from '../../../base/caller.ts';
import type { ChangeId } from '../../ports/state-store.ts';

/**
 * Changes that belong together: those of one connection; or, where calls have no connection, those
 * through one door by one client and token without a gap of ten minutes.
 */
export interface ChangeSession {
  /** The same as long as the history has its oldest change. */
  readonly key: string;
  /** Absent where the changes have none: undo them by `ids`. */
  readonly connection?: string;
  readonly door: Door;
  /** The client with its version, as history has it. */
  readonly client?: string;
  readonly token?: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly changes: number;
  /** How many different files; absent when there are too many changes to look at. */
  readonly files?: number;
  /** How many of the changes can be undone: those that are no undo and not undone. */
  readonly undoable: number;
  /** The numbers of all its changes, newest first. */
  readonly ids: readonly ChangeId[];
}

/** A page of sessions, the one with the newest change first. */
export interface SessionPage {
  readonly items: readonly ChangeSession[];
  /** The names of the clients, without versions, that the history has changes of. */
  readonly clients: readonly string[];
  /** What to give as `before` to get older ones; absent on the last page. */
  readonly next?: ChangeId;
}
