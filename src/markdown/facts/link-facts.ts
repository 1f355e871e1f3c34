import type { Link, NoteFacts, Problem } from './facts.ts';

/** The facts of a file that has links and problems, and nothing else that a note has. */
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
