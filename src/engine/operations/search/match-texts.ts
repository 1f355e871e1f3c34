import { outOf } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { documentKind } from '../../ports/documents.ts';
import type {
  PageRequest,
  SearchPage,
  SearchRow,
  WordAlternatives,
} from '../../ports/index-store.ts';
import type { Query } from '../../ports/search-query.ts';
import type {
  HitBounds,
  HitReason,
  TextMatcher,
  TextMatchRequest,
} from '../../ports/text-matcher.ts';
import type { View } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** What a search found, and whether it was stopped before every candidate was read. */
export interface FoundPage extends SearchPage {
  readonly isCutShort?: true;
}

/** Reading may take up this share of the time that a call has; the rest is for the other work. */
const timeShare = 0.4;

/**
 * Finds the files that match a query which only their text can decide. The index lists the files
 * that may match, best first, and they are read in that order until all are read or the time is up.
 * `total` counts the matches found until then. Fails with `unavailable` where there is no
 * `TextMatcher`.
 */
export async function matchTexts(
  vault: BoundVault,
  view: View,
  query: Query,
  { limit, offset }: PageRequest,
): Promise<FoundPage> {
  const matcher = matcherOf(vault);
  const { signal } = vault.caller;
  const endMs = vault.vault.parts.clock.nowMs() + readingMs(vault);
  const found: SearchRow[] = [];
  let alternatives: readonly WordAlternatives[] = [];
  let isCutShort = false;
  // Page by page: the index lists candidates, and the matcher reads them.
  for (let from = 0; ; ) {
    const page = { limit: limits.textMatchPage, offset: from };
    const candidates = await vault.askNow((store) => store.search(view, query, page));
    const { items } = candidates;
    alternatives = candidates.alternatives;
    // Files with only some of the words cannot match the query.
    if (items.length === 0 || candidates.whole === 0) break;
    const { total } = candidates;
    vault.caller.progress?.({
      done: from,
      total,
      message: `searching notes: ${outOf(from, total)}`,
    });
    const paths = items.map(({ path }) => path);
    const timeMs = Math.max(0, endMs - vault.vault.parts.clock.nowMs());
    const asked = { query, alternatives, paths, view: vault.view() };
    const matched = await matcher.match({ ...asked, timeMs, signal });
    const isFound = new Set(matched.found);
    found.push(...items.filter(({ path }) => isFound.has(path)));
    from += items.length;
    isCutShort = matched.looked < paths.length;
    if (isCutShort || from >= candidates.total) break;
  }
  return {
    total: found.length,
    items: found.slice(offset, offset + limit),
    alternatives,
    ...(isCutShort ? { isCutShort } : {}),
  };
}

/**
 * Says for each file why it matches a query, from its text now. Files that are not read in time
 * have no reason.
 */
export async function reasonsOf(
  vault: BoundVault,
  found: {
    readonly query: Query;
    readonly alternatives: readonly WordAlternatives[];
    readonly paths: readonly VaultPath[];
    readonly show?: HitBounds;
  },
): Promise<readonly HitReason[]> {
  const { signal } = vault.caller;
  const { matcher } = vault.vault.parts;
  if (found.paths.length === 0 || matcher === undefined) return [];
  const timeMs = readingMs(vault);
  const view = vault.view();
  const texts = await documentsIn(vault, found.paths);
  const reasons = await matcher.reasons({ ...found, texts, view, timeMs, signal });
  for (const [at, path] of found.paths.entries()) {
    vault.hasRead(path, ...(reasons[at]?.lines ?? []).map(({ text }) => text));
  }
  return reasons;
}

/** The texts of the documents among these files, of each as much as is looked through for lines. */
async function documentsIn(
  vault: BoundVault,
  paths: readonly VaultPath[],
): Promise<TextMatchRequest['texts'] & object> {
  const documents = paths.filter((path) => documentKind(path) !== undefined);
  if (documents.length === 0) return [];
  const charsMax = Math.floor(limits.pdfShownCharsMax / documents.length);
  return vault.askNow((store) => store.documentTexts(vault.view(), documents, charsMax));
}

function readingMs(vault: BoundVault): number {
  return Math.min(limits.textMatchMs, Math.floor(vault.caller.deadlineMs * timeShare));
}

function matcherOf(vault: BoundVault): TextMatcher {
  const { matcher } = vault.vault.parts;
  if (matcher !== undefined) return matcher;
  throw new VaultError(
    'unavailable',
    'Here only words, names, tags and properties can be searched; leave out regular expressions, match-case, and the operators for lines, blocks, sections and tasks.',
  );
}
