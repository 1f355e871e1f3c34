import type { TextRange } from '../../base/text-range.ts';
import type { Heading, NoteFacts } from '../facts/facts.ts';
import { findFrontmatter } from '../properties/frontmatter-block.ts';

/** A heading and everything under it. */
export interface Section {
  readonly heading: Heading;
  /** The texts of the headings from the top down to this one. */
  readonly path: readonly string[];
  /** From the heading's line to the next heading of the same or a higher level, or the end. */
  readonly range: TextRange;
  /** The same without the heading's own line. */
  readonly content: TextRange;
}

/**
 * Returns the sections of a note in order; a section contains those of the deeper headings below
 * it.
 */
export function sectionsOf(text: string, facts: NoteFacts): Section[] {
  const { headings } = facts;
  const ends = sectionEnds(text, headings);
  const above: Heading[] = [];
  return headings.map((heading, index) => {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    above.push(heading);
    const end = ends[index] ?? text.length;
    return {
      heading,
      path: above.map(({ text }) => text),
      range: { start: lineStart(text, heading), end },
      content: { start: Math.min(afterLine(text, heading.range.end), end), end },
    };
  });
}

/** The text between the properties and the first heading. */
export function preambleOf(text: string, facts: NoteFacts): TextRange {
  const bom = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const start = facts.frontmatter === undefined ? bom : (findFrontmatter(text)?.bodyStart ?? bom);
  const first = facts.headings[0];
  const end = first === undefined ? text.length : lineStart(text, first);
  return { start, end: Math.max(start, end) };
}

/**
 * Where the section of each heading ends. Goes from the last to the first, so that the time is
 * linear.
 */
function sectionEnds(text: string, headings: readonly Heading[]): number[] {
  // By level: where the next heading of this or a higher level begins.
  const nextAt = new Array<number>(7).fill(text.length);
  const ends: number[] = [];
  for (let index = headings.length - 1; index >= 0; index--) {
    const heading = headings[index];
    if (heading === undefined) continue;
    ends[index] = nextAt[heading.level] ?? text.length;
    const start = lineStart(text, heading);
    for (let level = heading.level; level <= 6; level++) nextAt[level] = start;
  }
  return ends;
}

/** The start of a heading's line where only blanks precede it, else the heading itself. */
function lineStart(text: string, { range }: Heading): number {
  const start = range.start === 0 ? 0 : text.lastIndexOf('\n', range.start - 1) + 1;
  return /^[ \t]*$/.test(text.slice(start, range.start)) ? start : range.start;
}

function afterLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}
