import type { Door } from '../../../base/caller.ts';
import type { ChangeRow } from '../../change/change-row.ts';
import type { ChangeId } from '../../ports/state-store.ts';
import type { FileChange } from '../../vault/draft.ts';

/** A change of the history as its owner's list of changes shows it. */
export interface FeedChange extends ChangeRow {
  readonly id: ChangeId;
  readonly undoneBy?: ChangeId;
  readonly undoes?: readonly ChangeId[];
  /** Those of `undoes` of which it took back only some files. They do not count as undone. */
  readonly partly?: readonly ChangeId[];
  /** Who made the change `undoneBy`, and when. */
  readonly undone?: { readonly timeMs: number; readonly door: Door; readonly client?: string };
}

/** Which changes to list. Absent means any. */
export interface WhichFeed {
  /** The name of the client program, without its version. */
  readonly client?: string | undefined;
  readonly door?: Door | undefined;
  /** The connection that made them. */
  readonly session?: string | undefined;
  /** A file, or a folder with everything in it, under its path at the time of the change. */
  readonly path?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** Only changes before this time. */
  readonly untilMs?: number | undefined;
  /** Only changes that did one of these to a file. */
  readonly kinds?: readonly FileChange['did'][] | undefined;
  /** Without the changes that are undone, or only those. */
  readonly undone?: 'hide' | 'only' | undefined;
}

/** A page of the list of changes, newest first. */
export interface FeedPage {
  /** How many changes the filter admits; absent where that is not known (`kinds`). */
  readonly total?: number;
  readonly items: readonly FeedChange[];
  /** What to give as `before` to get the next page; absent on the last one. */
  readonly next?: ChangeId;
}
