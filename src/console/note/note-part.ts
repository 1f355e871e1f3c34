import { LineIndex } from '../../base/text-range.ts';
import { HeadingPaths } from '../../markdown/facts/heading-match.ts';
import { findFrontmatter } from '../../markdown/properties/frontmatter-block.ts';
import { footnoteElementId } from './footnotes.ts';
import type { ShownNote } from './shown-note.ts';

/** The text of a note that is to be shown: its body, or a section or block of it. */
interface NotePart {
  readonly text: string;
  /** How many characters there are in all; `text` may have fewer. */
  readonly chars: number;
  /** The ids of the elements that begin on a line of `text`. */
  readonly anchors: ReadonlyMap<number, string>;
}

/** The body of a note, cut at the end of a line. */
export function bodyOf(note: ShownNote, charsMax: number): NotePart {
  const bom = note.text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const start = findFrontmatter(note.text)?.bodyStart ?? bom;
  const firstLine = new LineIndex(note.text.slice(0, start)).count - 1;
  const headings = note.facts?.headings ?? [];
  const blocks = Object.values(note.facts?.blocks ?? {});
  const anchors = new Map(
    [...headings, ...blocks].map(({ position: { start: at } }) => [
      at.line - firstLine,
      lineElementId(at.line),
    ]),
  );
  const chars = note.text.length - start;
  return { text: cut(note.text.slice(start), charsMax), chars, anchors };
}

/**
 * The section or block of a note that a subpath names (`#Heading`, `#^block`), or its body for an empty
 * one; undefined when there is none.
 */
export function partOf(note: ShownNote, subpath: string, charsMax: number): NotePart | undefined {
  if (subpath === '' || subpath === '#') return { ...bodyOf(note, charsMax), anchors: new Map() };
  const position = subpath.startsWith('#^')
    ? blockOf(note, subpath)
    : note.more?.headingSections[headingIndex(note, subpath)]?.position;
  if (position === undefined) return undefined;
  const text = note.text.slice(position.start.offset, position.end.offset);
  return { text: cut(text, charsMax), chars: text.length, anchors: new Map() };
}

/** The id of the element that a subpath of the address names; undefined when there is none. */
export function elementIdOf(note: ShownNote, subpath: string): string | undefined {
  const footnote = /^#\[\^(\d{1,6})\]$/.exec(subpath)?.[1];
  if (footnote !== undefined) return footnoteElementId(Number(footnote));
  const position = subpath.startsWith('#^')
    ? blockOf(note, subpath)
    : note.facts?.headings?.[headingIndex(note, subpath)]?.position;
  return position === undefined ? undefined : lineElementId(position.start.line);
}

function blockOf(note: ShownNote, subpath: string) {
  const blocks = note.facts?.blocks ?? {};
  const id = subpath.slice(2).toLowerCase();
  return Object.hasOwn(blocks, id) ? blocks[id]?.position : undefined;
}

/** The index of the heading that a subpath names; -1 when there is none. */
function headingIndex(note: ShownNote, subpath: string): number {
  const headings = (note.facts?.headings ?? []).map(({ heading, level, position }) => ({
    text: heading,
    level: level as 1,
    range: { start: position.start.offset, end: position.end.offset },
  }));
  return new HeadingPaths(headings).along(subpath).at(-1) ?? -1;
}

function lineElementId(line: number): string {
  return `note-line-${line}`;
}

/** Cuts a text at the end of a line, or inside a line that is too long by itself. */
function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const line = text.lastIndexOf('\n', charsMax);
  if (line > charsMax / 2) return text.slice(0, line);
  // Not between the two halves of a character.
  return text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '');
}
