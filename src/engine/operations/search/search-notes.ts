import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { stemOf } from '../../../base/vault-path.ts';
import { folderView } from '../../notes/check-folder.ts';
import type { PageRequest } from '../../ports/index-store.ts';
import type { Query } from '../../ports/search-query.ts';
import type { HitReason } from '../../ports/text-matcher.ts';
import type { View } from '../../ports/view.ts';
import { hasAim, needsText } from '../../search/needs-text.ts';
import { parseQuery } from '../../search/parse-query.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { FoundPage } from './match-texts.ts';
import { matchTexts, reasonsOf } from './match-texts.ts';

interface SearchHit extends HitReason {
  readonly path: VaultPath;
  /** Its name, as the app shows it. */
  readonly title: string;
  readonly score: number;
}

export interface SearchAnswer {
  /** How many have all that was asked for; where `partial` is set, some of it. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** Whether these are all that there are. */
  readonly complete: boolean;
  /**
   * Why they may not be: full text is still being filled, so that more may be found later, or only
   * the text of notes can tell and there was no time to read all of them.
   */
  readonly incomplete?: 'indexing' | 'time';
  /** Words that nothing has, and those that were looked for in their place. */
  readonly corrected?: readonly { readonly word: string; readonly to: readonly string[] }[];
  /** Set when no file has all that was asked for: these have some of it, most first. */
  readonly partial?: true;
  /** Set when few have all of many words: only this many of the hits do, the others some of them. */
  readonly whole?: number;
}

/**
 * Ranked search in Obsidian's language (`docs/search.md`). Answers from what is indexed when the
 * index takes too long, and from what was read when reading does, and says so. The lines come from
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
  const query = parseQuery(request.query);
  if (!hasAim(query)) {
    throw new VaultError('invalid_input', 'A query needs at least one word to look for.');
  }
  const view = await folderView(vault, request.folder);
  const isIndexed = await vault.waitForIndex('text');
  const page = await (needsText(query) ? matchTexts : searchIndex)(vault, view, query, request);
  const hits = await hitsOf(vault, query, page);
  // Files that are gone have no lines, or are not found: whether they are, a vault that is there says.
  await vault.vault.parts.disk.check();
  return {
    total: page.whole ?? page.total,
    hits,
    ...completeness(isIndexed, page),
    ...corrections(page),
    ...(page.isPartial ? { partial: true } : {}),
    ...wholeOnes(page, request.offset),
  };
}

/** How many of a page have all of the words, where others follow. */
function wholeOnes({ whole, items }: FoundPage, offset: number): Pick<SearchAnswer, 'whole'> {
  if (whole === undefined || offset + items.length <= whole) return {};
  return { whole: Math.max(0, whole - offset) };
}

function searchIndex(
  vault: BoundVault,
  view: View,
  query: Query,
  page: PageRequest,
): Promise<FoundPage> {
  return vault.askNow((store) => store.search(view, query, page));
}

async function hitsOf(vault: BoundVault, query: Query, page: FoundPage): Promise<SearchHit[]> {
  const { items, alternatives } = page;
  const paths = items.map(({ path }) => path);
  const reasons = await reasonsOf(vault, { query, alternatives, paths });
  return items.map(({ path, score }, at) => {
    const reason = reasons[at] ?? { lines: [] };
    return { path, title: stemOf(path), score, ...reason };
  });
}

function completeness(
  isIndexed: boolean,
  { isCutShort }: FoundPage,
): Pick<SearchAnswer, 'complete' | 'incomplete'> {
  if (isIndexed && isCutShort !== true) return { complete: true };
  return { complete: false, incomplete: isIndexed ? 'time' : 'indexing' };
}

/** What was found in place of words; where nothing was, that says nothing. */
function corrections({ total, alternatives }: FoundPage): Pick<SearchAnswer, 'corrected'> {
  const corrected = alternatives
    .filter((each) => each.as === 'typo')
    .map(({ word, words }) => ({ word, to: words }));
  return total === 0 || corrected.length === 0 ? {} : { corrected };
}
