import type { TextRange } from '../../base/text-range.ts';
import type { Link } from '../facts/facts.ts';

/**
 * The place of a link's subpath, including its `#`; undefined when it has none. For a file node of
 * a canvas, the place is inside the quotes of its own `subpath`.
 */
export function subpathRange(text: string, link: Link): TextRange | undefined {
  if (link.subpath === '') return undefined;
  if (link.form === 'canvas') return link.subpathRange;
  const start = link.pathRange.end;
  const written = text.slice(start, link.range.end);
  const end = isBracketed(text, link)
    ? written.search(/\s*(?:\\*\||\]\]$)/)
    : destinationLength(written, link);
  return end === -1 ? undefined : { start, end: start + end };
}

/**
 * Whether a link is written in double brackets: then its subpath goes on to the pipe (in a table
 * `\|`) or the brackets.
 */
function isBracketed(text: string, { form, range }: Link): boolean {
  return form === 'wikilink' || (form === 'base' && text.startsWith('[[', range.start));
}

/** The length up to white space (in JSON `\n`), the closing bracket, or the end of the link. */
function destinationLength(written: string, link: Link): number {
  if (link.form === 'base') return written.search(/\\?["']$/);
  if (link.angled) return written.indexOf('>');
  const space = written.search(/\s|\\[nrt]/);
  if (space !== -1) return space;
  return link.form === 'definition' ? written.length : written.length - 1;
}
