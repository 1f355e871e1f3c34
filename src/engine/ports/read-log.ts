import type { Door } from '../../base/caller.ts';
import type { VaultFolder } from '../../base/vault-path.ts';

/**
 * One call that read text of notes or files for its caller: which files, and who asked. Never has
 * the text itself, nor what was searched for.
 */
export interface ReadEntry {
  readonly timeMs: number;
  /** The tool, or what else was asked for: `resource`, `prompt …`, `completion`, `context`. */
  readonly tool: string;
  /** At most `limits.readLogPathsMax`. */
  readonly paths: readonly string[];
  /** How many more paths there were; absent when `paths` has all of them. */
  readonly morePaths?: number;
  /** How many bytes of these files were read for the answer. It may show only a part of them. */
  readonly bytes: number;
  readonly door: Door;
  /** As the client names itself. */
  readonly client?: string;
  readonly connection?: string;
  /** The id of the caller's token, never the token itself. */
  readonly token?: string;
}

/** Which entries are wanted. */
export interface ReadFilter {
  /** A part of the client's name; case does not matter. */
  readonly client?: string;
  /** Reads of this file, or of files in this folder. */
  readonly path?: VaultFolder;
  readonly sinceMs?: number;
  readonly limit: number;
}

/** What clients have read in one vault. Several processes may add to it at the same time. */
export interface ReadLog {
  /** Keeps an entry, at the latest within a second. Returns at once and never fails. */
  add(entry: ReadEntry): void;
  /** The latest entries that match, newest first, and whether older ones match too. */
  entries(filter: ReadFilter): Promise<{
    readonly items: readonly ReadEntry[];
    readonly more: boolean;
    /** Whether the log has any entry at all. */
    readonly isEmpty: boolean;
  }>;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}
