import type { VaultPath } from '../../base/vault-path.ts';
import type { WordAlternatives } from './index-store.ts';
import type { Query } from './search-query.ts';

/**
 * Reads the texts of files for a search: which files a query means, and why, is at times told only by
 * their text.
 */
export interface TextMatcher {
  /**
   * Of these files, in the order given, those whose text as it is now fulfils the query. An
   * expression may be as bad as its author likes: when the time is over, answers what was found,
   * and how many of the files were looked at. A file that is gone is not found.
   */
  match(request: TextMatchRequest): Promise<{
    readonly found: readonly VaultPath[];
    readonly looked: number;
  }>;
  /** Why each of these files fulfils the query, of any kind; when the time is over, of the first. */
  reasons(request: TextMatchRequest): Promise<readonly HitReason[]>;
  close(): Promise<void>;
}

export interface TextMatchRequest {
  readonly query: Query;
  /** What the index took for words of the query. */
  readonly alternatives: readonly WordAlternatives[];
  readonly paths: readonly VaultPath[];
  readonly timeMs: number;
  readonly signal: AbortSignal;
}

/** A line that shows why a file was found. */
export interface HitLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** The heading that it stands under, or is; absent above the first. */
  readonly heading?: string;
}

/** Why a file was found: by lines of it or, where it has none that show it, by what it is called. */
export interface HitReason {
  readonly lines: readonly HitLine[];
  readonly matched?: 'name' | 'path';
}
