import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';

/** A line that an expression matches. */
export interface FoundLine {
  readonly path: VaultPath;
  /** From 1. */
  readonly line: number;
  /** Without the line end; cut when it is longer than `lineCharsMax`. */
  readonly text: string;
}

/** What to search for, and where. */
export interface LineSearchRequest {
  /** A regular expression in ripgrep's syntax. */
  readonly pattern: string;
  /** A glob in ripgrep's syntax; other files are left out. */
  readonly glob?: string;
  /** The folders to search; `['']` is the whole vault. */
  readonly folders: readonly VaultFolder[];
  /** Whether the lines of a file are wanted. Lines of other files do not count for `linesMax`. */
  readonly wants: (path: VaultPath) => boolean;
  readonly linesMax: number;
  readonly lineCharsMax: number;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Finds files by what is written in them, as they are on disk. */
export interface FileSearch {
  /**
   * The notes, canvases and bases that may have a word with one of these beginnings (folded) in their
   * text, in any order; none behind a symlink. Misses none that it can read. Undefined when it cannot
   * tell, because the program is missing or has failed.
   */
  mentioning(request: {
    readonly beginnings: readonly string[];
    readonly signal: AbortSignal;
    readonly deadlineMs: number;
  }): Promise<readonly VaultPath[] | undefined>;
}

/** Searches the vault's files line by line, as they are on disk. */
export interface LineSearch {
  /**
   * The lines that match, sorted by path and line. `more` says whether there are others. Fails with
   * `invalid_input` for an invalid expression or glob, `unavailable` when the program is missing
   * (and says how to install it), `timeout`, and `vault_not_found` when the vault is gone.
   */
  search(
    request: LineSearchRequest,
  ): Promise<{ readonly lines: readonly FoundLine[]; readonly more: boolean }>;
}
