import type { TextRange } from '../../base/text-range.ts';
import { BlockScanner } from '../blocks/block-scanner.ts';
import { factSink } from '../facts/fact-sink.ts';
import type { Frontmatter, Heading, NoteFacts } from '../facts/facts.ts';
import { InlineScanner } from '../inline/inline-scanner.ts';
import { parseFrontmatter } from '../properties/frontmatter.ts';
import { type LineTable, lineTable } from '../text/line-table.ts';

/**
 * Finds the facts of a note, as Obsidian has them in its cache. The blocks and what is in them are
 * read as remark-parse 8 reads them, because Obsidian's parser comes from it. Accepts any string
 * and never throws; the time grows in proportion to the text. Ranges are UTF-16 offsets.
 */
export function scanNote(text: string): NoteFacts {
  const sink = factSink();
  const lines = lineTable(text);
  const front = parseFrontmatter(text);
  let first = 0;
  if (front !== undefined) {
    const { range } = front.frontmatter;
    sink.blocks.push({ type: 'yaml', range });
    sink.problems.push(...front.problems);
    first = lineAfter(lines, range);
  }
  new BlockScanner(lines, sink, new InlineScanner(sink)).scanFrom(first);
  if (sink.blockIds.length > 1) sortByRange(sink.blockIds);
  const facts: { frontmatter?: Frontmatter } & NoteFacts = {
    headings: sink.headings,
    blocks: sink.blocks,
    blockIds: sink.blockIds,
    listItems: sink.listItems,
    links: sink.links,
    propertyLinks: front?.propertyLinks ?? [],
    tags: sink.tags,
    propertyTags: front?.propertyTags ?? [],
    aliases: front?.aliases ?? [],
    callouts: sink.callouts,
    footnotes: sink.footnotes,
    footnoteReferences: sink.footnoteReferences,
    comments: sink.comments,
    code: sink.code,
    problems: sink.problems,
  };
  if (front !== undefined) facts.frontmatter = front.frontmatter;
  return facts;
}

/**
 * Finds the headings of a note alone, as `scanNote` does, without looking into the text of its blocks:
 * that takes a fraction of the time.
 */
export function scanHeadings(text: string): readonly Heading[] {
  const sink = factSink();
  const lines = lineTable(text);
  const front = parseFrontmatter(text);
  const first = front === undefined ? 0 : lineAfter(lines, front.frontmatter.range);
  new BlockScanner(lines, sink, { scan: () => undefined }).scanFrom(first);
  return sink.headings;
}

/** The body begins on the line after the properties. */
function lineAfter(lines: LineTable, { end }: TextRange): number {
  let line = 0;
  while (line < lines.ends.length && (lines.starts[line] as number) <= end) line++;
  return line;
}

/**
 * Sorts ids by the range they name. An id below a list names the list, which begins before items
 * with ids of their own.
 */
function sortByRange(found: { range: TextRange }[]): void {
  found.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}
