import type { VaultPath } from '../../base/vault-path.ts';
import type { HitReason } from '../search/hit-line.ts';
import type { WordAlternatives } from './index-store.ts';
import type { Query } from './search-query.ts';

/** Which files a query means is at times only told by their text: somebody has to read it. */
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
