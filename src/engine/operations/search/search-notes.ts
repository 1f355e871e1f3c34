import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { stemOf } from '../../../base/vault-path.ts';
import { folderView } from '../../notes/find-folder.ts';
import type { PageRequest } from '../../ports/index-store.ts';
import type { Query } from '../../ports/search-query.ts';
import type { HitBounds, HitReason } from '../../ports/text-matcher.ts';
import type { View } from '../../ports/view.ts';
import { hasAim, needsText } from '../../search/needs-text.ts';
import { parseQuery } from '../../search/parse-query.ts';
import { queryBeginnings } from '../../search/query-beginnings.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { FoundPage } from './match-texts.ts';
import { matchTexts, reasonsOf } from './match-texts.ts';

interface SearchHit extends HitReason {
  readonly path: VaultPath;
  /** Its name, as the app shows it. */
  readonly title: string;
  readonly score: number;
}

/** One page of the files that a search found, best first. */
export interface SearchAnswer {
  /** How many files were found, which is how many can be shown page by page. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** Whether nothing was missed. */
  readonly complete: boolean;
  /**
   * Why something may have been missed: `indexing` when the full text of some files is not indexed
   * yet, `time` when files had to be read and there was no time to read all of them, `documents` when
   * nothing was found and PDFs are not read yet.
   */
  readonly incomplete?: 'indexing' | 'time' | 'documents';
  /** Words that occur nowhere, and the words that were searched for in their place. */
  readonly corrected?: readonly { readonly word: string; readonly to: readonly string[] }[];
  /**
   * Set when no file matches the whole query: the hits match a part of it, the best match first.
   */
  readonly partial?: true;
  /**
   * Set when some of the files that were found lack words of the query: how many have all words. They
   * do not always come first.
   */
  readonly whole?: number;
}

/**
 * Searches in Obsidian's query language (`docs/search.md`) and ranks the hits. Returns what was
 * found so far, and says so, when the index takes too long or not every text could be read in time.
 * The lines shown are read from the files now. Fails with `invalid_input` for a query that cannot
 * be understood or that only excludes, with `too_large` for one that is too long, and with
 * `not_found` when the folder does not exist.
 */
export async function searchNotes(
  vault: BoundVault,
  request: {
    readonly query: string;
    readonly folder: VaultFolder;
    readonly limit: number;
    readonly offset: number;
    /** How much to show of each hit, given how many there are; see `TextMatchRequest.show`. */
    readonly show?: (hits: number) => HitBounds;
  },
): Promise<SearchAnswer> {
  if (request.query.length > limits.queryCharsMax) {
    throw new VaultError('too_large', `A query has at most ${limits.queryCharsMax} characters.`);
  }
  const query = parseQuery(request.query);
  if (!hasAim(query)) {
    throw new VaultError('invalid_input', 'A query needs at least one word to look for.');
  }
  const view = await folderView(vault, request.folder);
  const { limit, offset } = request;
  const search = needsText(query) ? matchTexts : searchIndex;
  const beginnings = queryBeginnings(query);
  let isIndexed = await (beginnings === undefined
    ? vault.waitForIndex('text')
    : vault.waitForWords(beginnings));
  let page = await search(vault, view, query, { limit, offset });
  if (dependsOnAllWords(page) && !vault.vault.parts.keeper.isReady('text')) {
    // Spelling and parts of a query are compared with all words of the vault.
    isIndexed = await vault.waitForIndex('text');
    page = await search(vault, view, query, { limit, offset });
  }
  const hits = await hitsOf(vault, query, page, request);
  // A vault that was unmounted during the search looks empty; then the answer would be wrong.
  await vault.vault.parts.disk.check();
  return {
    total: page.total,
    hits,
    ...(await completeness(vault, isIndexed, page)),
    ...corrections(page),
    ...wholeOnes(page),
  };
}

/** Whether nothing was found, or words were corrected, or files were found that may lack words. */
function dependsOnAllWords({ total, whole, alternatives }: FoundPage): boolean {
  const isCorrected = alternatives.some((each) => each.as === 'typo');
  return total === 0 || whole !== undefined || isCorrected;
}

/** How many of the files have all of the words; empty when all of them do. */
function wholeOnes({ total, whole }: FoundPage): Pick<SearchAnswer, 'partial' | 'whole'> {
  if (whole === undefined || whole >= total) return {};
  return whole === 0 ? { partial: true } : { whole };
}

function searchIndex(
  vault: BoundVault,
  view: View,
  query: Query,
  page: PageRequest,
): Promise<FoundPage> {
  return vault.askNow((store) => store.search(view, query, page));
}

async function hitsOf(
  vault: BoundVault,
  query: Query,
  page: FoundPage,
  { show }: { readonly show?: (hits: number) => HitBounds },
): Promise<SearchHit[]> {
  const { items, alternatives } = page;
  const paths = items.map(({ path }) => path);
  const bounds = show === undefined ? {} : { show: show(paths.length) };
  const reasons = await reasonsOf(vault, { query, alternatives, paths, ...bounds });
  return items.map(({ path, score }, at) => {
    const reason = reasons[at] ?? { lines: [] };
    return { path, title: stemOf(path), score, ...reason };
  });
}

async function completeness(
  vault: BoundVault,
  isIndexed: boolean,
  { isCutShort, total }: FoundPage,
): Promise<Pick<SearchAnswer, 'complete' | 'incomplete'>> {
  if (isIndexed && isCutShort !== true) {
    // Nothing waits for PDFs, so "nothing found" may be wrong while some are not read.
    const unread =
      total > 0 ? [] : await vault.askNow((store) => store.lackingDocuments(vault.view(), 1));
    return unread.length > 0 ? { complete: false, incomplete: 'documents' } : { complete: true };
  }
  return { complete: false, incomplete: isIndexed ? 'time' : 'indexing' };
}

/**
 * The words that were searched for in place of others; none when nothing was found with them
 * either.
 */
function corrections({ total, alternatives }: FoundPage): Pick<SearchAnswer, 'corrected'> {
  const corrected = alternatives
    .filter((each) => each.as === 'typo')
    .map(({ word, words }) => ({ word, to: words }));
  return total === 0 || corrected.length === 0 ? {} : { corrected };
}
