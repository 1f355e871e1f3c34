import type { Progress } from '../../base/caller.ts';

/** How publishing a file ended. */
export interface Published {
  /** The path in the checkout, e.g. `docs/adr/ADR-001-x.md`. */
  readonly file: string;
  /** The commit; undefined when the checkout already had exactly this text. */
  readonly commit?: string;
  /** The branch with the commit; undefined when no branch had to be made for a pull request. */
  readonly branch?: string;
  readonly pushed: boolean;
  /** The address of the pull request. */
  readonly pullRequest?: string;
  /** Sentences about what is set up but was not done, and why. */
  readonly notes: readonly string[];
}

/** Publishes files into the git checkout that the user has set up. */
export interface Publisher {
  /**
   * Writes one file under `docs/adr/`, commits it and nothing else, then pushes and opens a pull
   * request where that is set up. Fails with `unavailable` when git is missing or refuses (with its
   * output), and with `conflict` when the file has changes that are not committed, or when no
   * branch is checked out or a merge is unfinished. When a push to the checked out branch fails,
   * the commit stays, and the failure says so; when a push for a pull request fails, nothing stays.
   * `title` is that of the commit and of the pull request.
   */
  publish(
    file: { readonly name: string; readonly bytes: Uint8Array; readonly title: string },
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
  ): Promise<Published>;
}
