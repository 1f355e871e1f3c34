import type { Progress } from '../../base/caller.ts';

/** What became of a file that was to be published. */
export interface Published {
  /** Where it is in the checkout, e.g. `docs/adr/ADR-001-x.md`. */
  readonly file: string;
  /** The commit; undefined when the checkout had this very text already. */
  readonly commit?: string;
  readonly branch?: string;
  readonly pushed: boolean;
  /** The address of the pull request. */
  readonly pullRequest?: string;
  /** What was not done although it was set up, and why, as sentences. */
  readonly notes: readonly string[];
}

/** Puts files into a git checkout that whoever started the program has named. */
export interface Publisher {
  /**
   * Writes one file under `docs/adr/`, commits it and nothing else, then pushes and opens a pull
   * request where that is set up. Fails with `unavailable` where git is missing or refuses (with what it
   * said), `conflict` where the file has changes of somebody's that are not committed. What was
   * committed stays committed when a push fails: the failure says so.
   */
  publish(
    file: { readonly name: string; readonly bytes: Uint8Array; readonly title: string },
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
  ): Promise<Published>;
}
