import { askedName, type Closeness, closeness } from '../text/closeness.ts';
import { tagIdentity } from './allowed-tags.ts';

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
