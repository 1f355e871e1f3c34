import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { closestNames } from '../../notes/findable-names.ts';
import type { HitBounds, HitReason } from '../../ports/text-matcher.ts';
import { closestTagsFirst, tagIdentity } from '../../tags/allowed-tags.ts';
import { askedName, closeness } from '../../text/closeness.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { listTags } from '../list/list-tags.ts';
import { searchNames, searchTagged } from './search-names.ts';
import type { SearchAnswer } from './search-notes.ts';
import { searchNotes } from './search-notes.ts';

const suggestionsMax = 5;
const commonTagsMax = 20;

/** What a search looks at: the text, names and aliases (whole or in part), or tags. */
export const searchModes = ['content', 'name', 'name_partial', 'tag'] as const;
export type SearchMode = (typeof searchModes)[number];

/** A search in any mode; `query` is the text, name or tag to look for. */
interface Search {
  readonly query: string;
  readonly folder: VaultFolder;
  readonly limit: number;
  readonly offset: number;
  /** How much to show of each hit, given how many there are. */
  readonly show?: (hits: number) => HitBounds;
}

/** A note that a search in any mode found. */
export interface ModeHit extends HitReason {
  readonly path: VaultPath;
  readonly title: string;
  /** The aliases that matched. */
  readonly aliases?: readonly string[];
}

/** What a caller may have meant when a search found nothing. Tags are without `#`. */
export interface Suggestions {
  readonly what: 'closest names' | 'closest tags' | 'common tags';
  readonly found: readonly string[];
}

/** For the fields, see `SearchAnswer`. */
type Found = Pick<
  SearchAnswer,
  'total' | 'incomplete' | 'corrected' | 'partial' | 'whole' | 'meaning'
> & {
  readonly hits: readonly ModeHit[];
};

/**
 * Finds notes in one of the modes, best first. `suggestions` is set only when nothing was found
 * although all notes were searched. Fails as `searchNotes`, `searchNames` or `searchTagged` does.
 */
export async function searchByMode(
  vault: BoundVault,
  { mode, ...search }: Search & { readonly mode: SearchMode },
): Promise<Found & { readonly suggestions?: Suggestions }> {
  const found = await searches[mode](vault, search);
  if (found.total > 0 || found.incomplete !== undefined) return found;
  const suggest = mode === 'tag' ? tagsLike : namesLike;
  return { ...found, suggestions: await suggest(vault, search.query) };
}

const searches: Readonly<
  Record<SearchMode, (vault: BoundVault, search: Search) => Promise<Found>>
> = {
  content: searchNotes,
  name: (vault, { show: _, ...search }) => searchNames(vault, { ...search, match: 'exact' }),
  name_partial: (vault, { show: _, ...search }) =>
    searchNames(vault, { ...search, match: 'partial' }),
  tag: (vault, { query, ...page }) => searchTagged(vault, { ...page, tag: query }),
};

async function namesLike(vault: BoundVault, query: string): Promise<Suggestions> {
  const found = await closestNames(vault, query, suggestionsMax);
  return { what: 'closest names', found: found.map(({ name }) => name) };
}

/**
 * Suggests the most similar tags, or else the most used ones, because the caller may have no other
 * way to list tags.
 */
async function tagsLike(vault: BoundVault, query: string): Promise<Suggestions> {
  const asked = askedName(tagIdentity(query));
  const rows = await listTags(vault);
  const tags = rows.map(({ tag }) => tag.slice(1));
  const near = tags.filter((tag) => closeness(asked, tagIdentity(tag)) !== undefined);
  if (near.length > 0) {
    const found = closestTagsFirst(near, [query]).slice(0, suggestionsMax);
    return { what: 'closest tags', found };
  }
  const common = [...rows].sort((a, b) => b.files - a.files).slice(0, commonTagsMax);
  return { what: 'common tags', found: common.map(({ tag }) => tag.slice(1)) };
}
