import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';

/** A line that an expression matches. */
export interface FoundLine {
  readonly path: VaultPath;
  /** From 1. */
  readonly line: number;
  /** Without its line end; cut where it is longer than a line may be. */
  readonly text: string;
}

export interface LineSearchRequest {
  /** A regular expression as ripgrep knows it. */
  readonly pattern: string;
  /** A glob as ripgrep knows it; files that it does not match are left out. */
  readonly glob?: string;
  /** The folders that are looked into; `['']` is the whole vault. */
  readonly folders: readonly VaultFolder[];
  /** Whether this file's lines are wanted: those of others count for nothing. */
  readonly wants: (path: VaultPath) => boolean;
  readonly linesMax: number;
  readonly lineCharsMax: number;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Searches the vault's files line by line, as they are on disk. */
export interface LineSearch {
  /**
   * The lines that match, by path and line. `more` is set when there are others. Fails with
   * `invalid_input` for an expression or a glob that is none, `unavailable` where the program is
   * missing (and how to install it), `timeout`, and `vault_not_found` when the vault is gone.
   */
  search(
    request: LineSearchRequest,
  ): Promise<{ readonly lines: readonly FoundLine[]; readonly more: boolean }>;
}
