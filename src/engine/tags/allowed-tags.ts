import { foldName } from '../../base/vault-path.ts';
import type { IndexStore, TagRow } from '../ports/index-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/** The tag of the notes that are meant for the model; it needs nobody's agreement. */
export const personalTag = 'claude';

/** The tags that may be written, by `tagIdentity`, each as the vault spells it, without `#`. */
export type AllowedTags = ReadonlyMap<string, string>;

/** What spellings of one tag share, for the index and for us: no `#`, case or Unicode form. */
export function tagIdentity(tag: string): string {
  return foldName(tag.replace(/^#/, ''));
}

/** Every tag of the files that the caller may see, with its counts. */
export function visibleTags(vault: BoundVault): (store: IndexStore) => Promise<readonly TagRow[]> {
  return (store) => store.tags(vault.view());
}

/**
 * The tags that a vault with these allows: they, the tags they are nested under (the app lists
 * those too, and finds notes by them), and `claude`.
 */
export function allowedTags(rows: readonly Pick<TagRow, 'tag'>[]): AllowedTags {
  const written = rows.map(({ tag }) => tag.replace(/^#/, ''));
  const allowed = new Map(written.map((tag) => [tagIdentity(tag), tag]));
  for (const tag of written) {
    for (let at = tag.lastIndexOf('/'); at > 0; at = tag.lastIndexOf('/', at - 1)) {
      addTo(allowed, tag.slice(0, at));
    }
  }
  addTo(allowed, personalTag);
  return allowed;
}

function addTo(allowed: Map<string, string>, tag: string): void {
  const identity = tagIdentity(tag);
  if (!allowed.has(identity)) allowed.set(identity, tag);
}
