import { isExternal, parseWholeLink, splitLink } from '../../../markdown/facts/link-text.ts';
import { LinkValue } from './value.ts';
import type { World } from './world.ts';

/**
 * The link that a text stands for: `Target`, `Target|Shown`, `[[Target|Shown]]` or a URL. Its file is
 * looked up when it is asked for.
 */
export function linkFrom(
  { world, source }: { readonly world: World; readonly source: string },
  text: string,
  display?: string,
): LinkValue {
  const trimmed = text.trim();
  if (isExternal(trimmed)) {
    return new LinkValue(trimmed, { display, isExternal: true, target: () => null });
  }
  const link = trimmed.startsWith('[') ? parseWholeLink(trimmed) : undefined;
  const [bare = '', ...shown] = trimmed.split('|');
  const written = link?.link ?? bare.trim();
  const own =
    link === undefined
      ? shown.join('|')
      : link.displayRange === undefined
        ? ''
        : trimmed.slice(link.displayRange.start, link.displayRange.end);
  const { path } = splitLink(written);
  return new LinkValue(written, {
    display: display ?? (own === '' ? undefined : own),
    target: () => world.resolve(path, source),
  });
}
