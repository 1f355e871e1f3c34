import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { stemOf } from '../../base/vault-path.ts';
import { matchingLines } from '../matching-lines.ts';
import { parseQuery, queryOf } from '../parse-query.ts';
import type { BoundVault } from '../vault.ts';
import { folderView } from './check-folder.ts';
import type { HitLine } from './hit-lines.ts';
import { hitLines } from './hit-lines.ts';

export interface SearchHit {
  readonly path: VaultPath;
  /** Its name, as the app shows it. */
  readonly title: string;
  readonly score: number;
  readonly lines: readonly HitLine[];
}

export interface SearchAnswer {
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** False while full text is still being filled: more may be found later. */
  readonly complete: boolean;
}

/**
 * Ranked full text search: every word must occur, `"a phrase"` as written, `-word` not at all.
 * Answers from what is indexed when the index takes too long, and says so. The lines come from
 * the files as they are now.
 */
export async function searchNotes(
  vault: BoundVault,
  request: {
    readonly query: string;
    readonly folder: VaultFolder;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<SearchAnswer> {
  if (request.query.length > limits.queryCharsMax) {
    throw new VaultError('too_large', `A query has at most ${limits.queryCharsMax} characters.`);
  }
  const terms = parseQuery(request.query);
  if (!terms.some((term) => !term.negated)) {
    throw new VaultError('invalid_input', 'A query needs at least one word to look for.');
  }
  const view = await folderView(vault, request.folder);
  const complete = await vault.waitForIndex('text');
  const page = await vault.askNow((store) => store.search(view, queryOf(terms), request));
  const hits: SearchHit[] = [];
  for (const { path, score } of page.items) {
    const lines = await hitLines(vault, path, (text) => matchingLines(text, terms, { max: 3 }));
    hits.push({ path, title: stemOf(path), score, lines });
  }
  return { total: page.total, hits, complete };
}
