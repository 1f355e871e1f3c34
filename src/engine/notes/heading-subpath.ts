import type { Heading } from '../../markdown/facts/facts.ts';
import { type HeadingPaths, headingKey } from '../../markdown/facts/heading-match.ts';

/** A note before and after the heading with this index got another text. */
interface HeadingChange {
  readonly before: HeadingPaths;
  readonly after: HeadingPaths;
  /** The headings afterwards. */
  readonly headings: readonly Heading[];
  readonly index: number;
}

/**
 * Rewrites the subpath of a link so that it still leads to the same heading. Replaces only the name
 * that changed, and adds the names of the headings above where the new text alone would lead
 * elsewhere. `clear` is false where even that leads elsewhere. Undefined when the link did not lead
 * to a heading.
 */
export function headingSubpath(
  subpath: string,
  { before, after, headings, index }: HeadingChange,
): { readonly subpath: string; readonly clear: boolean } | undefined {
  // The headings that the names of the subpath stand for; the last one is where the link leads.
  const named = before.along(subpath);
  const target = named.at(-1);
  if (target === undefined) return undefined;
  const nameOf = (at: number): string => headingInLink(headings[at]?.text ?? '');
  let at = -1;
  const replaced = subpath
    .split('#')
    .map((name) => {
      if (headingKey(name) !== '') at++;
      return headingKey(name) !== '' && named[at] === index ? nameOf(index) : name;
    })
    .join('#');
  const wholePath = `#${after.above(target).map(nameOf).join('#')}`;
  const found = [replaced, wholePath].find((to) => after.along(to).at(-1) === target);
  return { subpath: found ?? replaced, clear: found !== undefined };
}

/**
 * A heading's text as a link writes it, without characters that would end the link or split the
 * subpath.
 */
export function headingInLink(text: string): string {
  return text
    .replace(/[:#|^\\\r\n]|%%|\[\[|\]\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
