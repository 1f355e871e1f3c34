import type { TextRange } from '../../base/text-range.ts';
import type { Link, NoteFacts, Problem } from './facts.ts';

/**
 * The facts of a canvas or a base, which has links and problems but nothing else that a note has.
 */
export function linkFacts(links: readonly Link[], problems: readonly Problem[] = []): NoteFacts {
  return {
    headings: [],
    blocks: [],
    blockIds: [],
    listItems: [],
    links: links.toSorted((a, b) => a.range.start - b.range.start),
    propertyLinks: [],
    tags: [],
    propertyTags: [],
    aliases: [],
    callouts: [],
    footnotes: [],
    footnoteReferences: [],
    comments: [],
    code: [],
    problems,
  };
}

/**
 * Returns a link whose ranges are moved, e.g. from a decoded string to the text that it was decoded
 * from. `newOffset` maps an old offset to the new one.
 */
export function moveLink(link: Link, newOffset: (offset: number) => number): Link {
  const move = ({ start, end }: TextRange) => ({ start: newOffset(start), end: newOffset(end) });
  return {
    ...link,
    range: move(link.range),
    pathRange: move(link.pathRange),
    ...(link.displayRange === undefined ? {} : { displayRange: move(link.displayRange) }),
  };
}
