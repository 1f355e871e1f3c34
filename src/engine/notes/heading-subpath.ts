import type { NoteFacts } from '../../markdown/facts/facts.ts';
import { headingKey, headingsAlong } from '../../markdown/facts/heading-match.ts';

/** A note before and after the heading with this index got another text. */
interface HeadingChange {
  readonly before: NoteFacts;
  readonly after: NoteFacts;
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
  { before, after, index }: HeadingChange,
): { readonly subpath: string; readonly clear: boolean } | undefined {
  // The headings that the names of the subpath stand for; the last one is where the link leads.
  const named = headingsAlong(before, subpath).map((heading) => before.headings.indexOf(heading));
  const target = named.at(-1);
  if (target === undefined) return undefined;
  let at = -1;
  const replaced = subpath
    .split('#')
    .map((name) => {
      if (headingKey(name) !== '') at++;
      return headingKey(name) !== '' && named[at] === index ? nameOf(after, index) : name;
    })
    .join('#');
  const leads = (to: string) => headingsAlong(after, to).at(-1) === after.headings[target];
  const wholePath = `#${headingsAbove(after, target)
    .map((above) => nameOf(after, above))
    .join('#')}`;
  const found = [replaced, wholePath].find(leads);
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

function nameOf(facts: NoteFacts, index: number): string {
  return headingInLink(facts.headings[index]?.text ?? '');
}

/** The indexes of the headings that a heading is nested under, from the top down, and its own. */
function headingsAbove({ headings }: NoteFacts, index: number): number[] {
  const above: number[] = [];
  headings.slice(0, index + 1).forEach(({ level }, at) => {
    while (above.length > 0 && (headings[above.at(-1) ?? 0]?.level ?? 0) >= level) above.pop();
    above.push(at);
  });
  return above;
}
