import type { TextRange } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { NoteText } from './bound-vault.ts';

/** What a connection has been shown of a note ("served" and "shown" mean the same). */
export interface ServedNote {
  readonly version: Version;
  /** Whether it was shown the whole note, at once or piece by piece. */
  readonly whole: boolean;
  /** The parts that it was shown, in order; no two of them touch. */
  readonly shown: readonly TextRange[];
  /** The text at that version; undefined when it is not remembered any more. */
  readonly text?: string;
}

/**
 * What one connection was shown of notes, so that it cannot replace text that it has not seen. A
 * bound vault has one for its caller, unless the caller has no connection (scripts, the command
 * line).
 */
export interface ServedNotes {
  /** What was shown of a note; undefined when nothing was, or when it is forgotten. */
  of(path: VaultPath): ServedNote | undefined;
  /** Records that a part of the text was shown; the whole text when `range` is absent. */
  shown(note: Pick<NoteText, 'path' | 'text' | 'version'>, range?: TextRange): void;
  /**
   * Records that the connection itself has changed the note: what it was shown of the version
   * before counts as shown of the version after. A note that it made counts as shown whole. If it
   * was shown another version or none, nothing is recorded.
   */
  changed(change: NoteChange): void;
}

/** A note before and after a change of it. */
export interface NoteChange {
  /** The path before; absent for a new note. */
  readonly from?: VaultPath;
  readonly to: VaultPath;
  readonly before?: Version;
  readonly after: Version;
  /** The text after the change. */
  readonly text?: string;
}
