import { foldName } from '../../base/vault-path.ts';
import type { IndexStore, TagRow } from '../ports/index-store.ts';
import { askedName, type Closeness, closeness } from '../text/closeness.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/** The tag of the notes that auto-context lists. */
export const personalTag = 'claude';

/** The tags that may be written: from `tagIdentity` to the vault's spelling, without `#`. */
export type AllowedTags = ReadonlyMap<string, string>;

/** The same string for all spellings of one tag: `#`, case and Unicode form do not count. */
export function tagIdentity(tag: string): string {
  return foldName(tag.replace(/^#/, ''));
}

/** A question to the index: every tag of the files that the caller may see, with counts. */
export function visibleTags(vault: BoundVault): (store: IndexStore) => Promise<readonly TagRow[]> {
  return (store) => store.tags(vault.view());
}

/**
 * The tags that are allowed in a vault with these tags: the tags themselves, and the tags above
 * nested ones (`a` of `a/b`, because the app lists it and finds notes by it).
 */
export function allowedTags(rows: readonly Pick<TagRow, 'tag'>[]): AllowedTags {
  const written = rows.map(({ tag }) => tag.replace(/^#/, ''));
  const allowed = new Map(written.map((tag) => [tagIdentity(tag), tag]));
  for (const tag of written) {
    for (let at = tag.lastIndexOf('/'); at > 0; at = tag.lastIndexOf('/', at - 1)) {
      addTo(allowed, tag.slice(0, at));
    }
  }
  return allowed;
}

function addTo(allowed: Map<string, string>, tag: string): void {
  const identity = tagIdentity(tag);
  if (!allowed.has(identity)) allowed.set(identity, tag);
}

/**
 * Sorts tags for someone who wrote the `wanted` tags: first those that may have been meant, the
 * closest first, then all others. Equally close tags are in alphabetical order.
 */
export function closestTagsFirst(tags: Iterable<string>, wanted: readonly string[]): string[] {
  const asked = wanted.map((tag) => askedName(tagIdentity(tag)));
  return Array.from(tags, (tag) => {
    const identity = tagIdentity(tag);
    // The last part of a nested tag is as likely to be meant as the whole tag.
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
