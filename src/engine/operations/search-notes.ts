import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type { TextTerm } from '../index-store.ts';
import type { MatchingLine } from '../matching-lines.ts';
import { matchingLines } from '../matching-lines.ts';
import { parseQuery } from '../parse-query.ts';
import type { BoundVault } from '../vault.ts';
import { checkFolder } from './check-folder.ts';

export interface SearchHit {
  readonly path: VaultPath;
  readonly score: number;
  readonly lines: readonly MatchingLine[];
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
  await checkFolder(vault, request.folder);
  const complete = await vault.waitForIndex('text');
  const listed = await vault.listedView();
  const view = request.folder === '' ? listed : { ...listed, within: request.folder };
  const page = await vault.askNow((store) => store.search(view, terms, request));
  const hits: SearchHit[] = [];
  for (const { path, score } of page.items) {
    // One note at a time: many large ones at once would hold the thread and the memory.
    if (vault.caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
    hits.push({ path, score, lines: await linesOf(vault, path, terms) });
  }
  return { total: page.total, hits, complete };
}

/** Up to three lines that show why a file was found; none when it vanished meanwhile. */
async function linesOf(
  vault: BoundVault,
  path: VaultPath,
  terms: readonly TextTerm[],
): Promise<readonly MatchingLine[]> {
  try {
    const { text } = await vault.readText(path);
    return matchingLines(text, terms, { max: 3 });
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}
