import type { VaultPath } from '../base/vault-path.ts';
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
  close(): Promise<void>;
}

export interface TextMatchRequest {
  readonly query: Query;
  readonly paths: readonly VaultPath[];
  readonly timeMs: number;
  readonly signal: AbortSignal;
}
