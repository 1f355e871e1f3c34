import type { VaultFolder } from '../../base/vault-path.ts';
import { closestNames } from '../../engine/notes/findable-names.ts';
import { listTags } from '../../engine/operations/list/list-tags.ts';
import { tagIdentity } from '../../engine/tags/allowed-tags.ts';
import { closestTagsFirst } from '../../engine/tags/closest-tags.ts';
import { askedName, closeness } from '../../engine/text/closeness.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { firstOf } from '../wording/fit-answer.ts';
import type { SearchMode } from './search-notes.ts';

const suggestionsMax = 5;
const commonTagsMax = 20;

const hints: Readonly<Record<SearchMode, string>> = {
  content:
    'No note has all of these words. Try fewer or other words, or mode "name_partial" or "tag".',
  name: 'No note has exactly this name or alias. Try mode "name_partial" or "content".',
  name_partial: 'No name or alias contains this. Try a shorter part, or mode "content".',
  tag: 'No note has this tag. Try another one, or mode "content".',
};

/** What to try when a search found nothing, with the names or tags that come closest. */
export async function nothingFound(
  vault: BoundVault,
  search: {
    readonly query: string;
    readonly mode: SearchMode;
    readonly total: number;
    readonly folder: VaultFolder;
  },
): Promise<{ readonly hint: string; readonly suggestions?: readonly string[] }> {
  const { query, mode, total, folder } = search;
  if (total > 0) return { hint: `There are only ${total} hits: use a smaller offset.` };
  const { what, found } = await (mode === 'tag' ? tagsLike : namesLike)(vault, query);
  const where = folder === '' ? '' : ' Or search without folder.';
  if (found.length === 0) return { hint: hints[mode] + where };
  return {
    hint: `${hints[mode]}${where} ${what} are in suggestions.`,
    suggestions: firstOf(found),
  };
}

interface Suggestions {
  readonly what: string;
  readonly found: readonly string[];
}

async function namesLike(vault: BoundVault, query: string): Promise<Suggestions> {
  const found = await closestNames(vault, query, suggestionsMax);
  return { what: 'Names that come closest', found: found.map(({ name }) => name) };
}

/** Where no tag comes close, the most used ones: nothing else here lists tags. */
async function tagsLike(vault: BoundVault, query: string): Promise<Suggestions> {
  const asked = askedName(tagIdentity(query));
  const rows = await listTags(vault);
  const tags = rows.map(({ tag }) => tag.slice(1));
  const near = tags.filter((tag) => closeness(asked, tagIdentity(tag)) !== undefined);
  if (near.length > 0) {
    const found = closestTagsFirst(near, [query]).slice(0, suggestionsMax);
    return { what: 'Tags that come closest', found };
  }
  const common = [...rows].sort((a, b) => b.files - a.files).slice(0, commonTagsMax);
  return { what: 'The most used tags', found: common.map(({ tag }) => tag.slice(1)) };
}
