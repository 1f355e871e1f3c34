import { limits } from '../../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
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
import {
  type ByMeaning,
  isPlain,
  type JoinedPage,
  joinMeaning,
  meantNotes,
} from './join-meaning.ts';
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
  /**
   * Where the owner has named an embedding model: `words` when it did not answer, so that only words
   * were searched for; `partly` while it has not seen all notes.
   */
  readonly meaning?: ByMeaning;
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
  const { meaning } = vault.vault.parts;
  // What the words find is joined with what the query means; then all rows up to the page are needed.
  const isJoined = meaning !== undefined && isPlain(query);
  const near = isJoined ? meantNotes(vault, view, request.query) : undefined;
  const asked = isJoined
    ? { limit: offset + limit + limits.meaningNotesMax, offset: 0 }
    : { limit, offset };
  const search = needsText(query) ? matchTexts : searchIndex;
  const beginnings = queryBeginnings(query);
  let isIndexed = await (beginnings === undefined
    ? vault.waitForIndex('text')
    : vault.waitForWords(beginnings));
  let words = await search(vault, view, query, asked);
  if (dependsOnAllWords(words) && !vault.vault.parts.keeper.isReady('text')) {
    // Spelling and parts of a query are compared with all words of the vault.
    isIndexed = await vault.waitForIndex('text');
    words = await search(vault, view, query, asked);
  }
  const isPartly = meaning?.isPartly === true;
  const page = isJoined
    ? await onlyThere(vault, view, joinMeaning(words, await near, { limit, offset, isPartly }))
    : { ...words, near: nothingNear };
  const hits = await hitsOf(vault, query, page, request);
  // A vault that was unmounted during the search looks empty; then the answer would be wrong.
  await vault.vault.parts.disk.check();
  return {
    total: page.total,
    hits,
    ...(await completeness(vault, isIndexed, page)),
    ...corrections(page),
    ...wholeOnes(words),
    ...(page.meaning === undefined ? {} : { meaning: page.meaning }),
  };
}

const nothingNear: JoinedPage['near'] = new Map();

/** The page without notes that have gone since they were embedded, or that are seen no more. */
async function onlyThere(vault: BoundVault, view: View, page: JoinedPage): Promise<JoinedPage> {
  const there = await Promise.all(
    page.items.map(async ({ path }) =>
      page.near.has(path)
        ? (await vault.askNow((store) => store.file(view, path))) !== undefined
        : true,
    ),
  );
  return { ...page, items: page.items.filter((_, at) => there[at]) };
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
  page: JoinedPage,
  { show }: { readonly show?: (hits: number) => HitBounds },
): Promise<SearchHit[]> {
  const { items, alternatives } = page;
  const paths = items.map(({ path }) => path);
  const bounds = show === undefined ? {} : { show: show(paths.length) };
  const reasons = await reasonsOf(vault, { query, alternatives, paths, ...bounds });
  const found = items.map(async ({ path, score }, at) => {
    const reason = reasons[at] ?? { lines: [] };
    const line = reason.lines.length === 0 ? page.near.get(path) : undefined;
    const lines = line === undefined ? reason.lines : await linesFrom(vault, path, line);
    return { path, title: stemOf(path), score, ...reason, lines };
  });
  return Promise.all(found);
}

/** How much of a line is shown where no word says what belongs to it. */
const lineCharsMax = 200;

/** The line on which a passage begins that is near in meaning; none when the note cannot be read. */
async function linesFrom(
  vault: BoundVault,
  path: VaultPath,
  line: number,
): Promise<HitReason['lines']> {
  try {
    const { text } = await vault.readText(path, { shown: false });
    const shown = (text.split('\n', line)[line - 1] ?? '').trim().slice(0, lineCharsMax);
    vault.hasRead(path, shown);
    return shown === '' ? [] : [{ line, text: shown }];
  } catch (error) {
    rethrowIfAway(error);
    return [];
  }
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
