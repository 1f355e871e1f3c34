import type { TextRange } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { NoteText } from './bound-vault.ts';

/** What a connection knows of a note. */
export interface ServedNote {
  readonly version: Version;
  /** Whether it was shown all of it, at once or piece by piece. */
  readonly whole: boolean;
  /** The parts that it was shown, in order and apart from each other. */
  readonly shown: readonly TextRange[];
  /** The text at that version; undefined when it is not remembered any more. */
  readonly text?: string;
}

/**
 * What one connection was shown of notes, so that it does not replace what it has not seen. Bound
 * to a vault beside the caller; absent where there is no connection (scripts, the command line).
 */
export interface ServedNotes {
  of(path: VaultPath): ServedNote | undefined;
  /** This part of the text was shown; the whole when `range` is absent. */
  shown(note: Pick<NoteText, 'path' | 'text' | 'version'>, range?: TextRange): void;
  /**
   * The connection itself changed the note, knowing what it did: what it knew of the version
   * before holds for the one after. Nothing happens when it knew another version or none; a note
   * that it made is known whole.
   */
  changed(change: NoteChange): void;
}

/** A note before and after a change of it. */
export interface NoteChange {
  /** Where it was; absent for a new note, and for one that was written from beginning to end. */
  readonly from?: VaultPath;
  readonly to: VaultPath;
  readonly before?: Version;
  readonly after: Version;
  /** Its text now. */
  readonly text?: string;
}
