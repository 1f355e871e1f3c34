import { foldName } from '../../base/vault-path.ts';
import type { IndexStore, TagRow } from '../ports/index-store.ts';
import { askedName, type Closeness, closeness } from '../text/closeness.ts';
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

/**
 * Tags in the order in which they are of use to someone who wrote `wanted`: first those that could
 * have been meant, the closest first, then all others; alphabetical where nothing else decides.
 */
export function closestTagsFirst(tags: Iterable<string>, wanted: readonly string[]): string[] {
  const asked = wanted.map((tag) => askedName(tagIdentity(tag)));
  return Array.from(tags, (tag) => {
    const identity = tagIdentity(tag);
    // The tag that a nested one ends with is as likely to be meant.
    const names = [identity, identity.slice(identity.lastIndexOf('/') + 1)];
    const near = asked
      .flatMap((wish) => names.map((name) => closeness(wish, name) ?? notNear))
      .sort(byCloseness);
    return { tag, identity, near: near[0] ?? notNear };
  })
    .sort((a, b) => byCloseness(a.near, b.near) || (a.identity < b.identity ? -1 : 1))
    .map(({ tag }) => tag);
}

const notNear: Closeness = [Number.MAX_SAFE_INTEGER, 0];

function byCloseness(a: Closeness, b: Closeness): number {
  return a[0] - b[0] || a[1] - b[1];
}
