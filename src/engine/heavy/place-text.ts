import type { TextRange } from '../../base/text-range.ts';
import { LineIndex } from '../../base/text-range.ts';
import { appendText, prependText } from '../../markdown/edits/add-text.ts';
import { placeOfLast } from '../../markdown/edits/insert-text.ts';
import { appendToSection, replaceSectionContent } from '../../markdown/edits/section-edits.ts';
import type { NoteFacts } from '../../markdown/facts/facts.ts';
import { bodyStart, findFrontmatter } from '../../markdown/properties/frontmatter-block.ts';
import { lineEndAt, startsLine, withLineEnds } from '../../markdown/text/line-ends.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { findSection } from '../notes/find-section.ts';
import type { PlacedText, TextToPlace } from '../ports/note-work.ts';
import { noteFacts } from '../text/scan-file.ts';

/**
 * Puts a text into a note, and says where it begins and whether code or a comment hides it. Fails as
 * `findSection` does.
 */
export function placeText(before: string, put: TextToPlace): PlacedText {
  const edits = editsFor(before, put);
  const text = applyEdits(before, edits);
  const place = placeOfLast(edits);
  const lines = new LineIndex(text);
  const hiding = findHidingPart(text, noteFacts(text), place);
  return {
    text,
    line: lines.lineAt(place.start) + 1,
    ...(hiding === undefined
      ? {}
      : { hiding: { how: hiding.how, what: hiding.what, line: lines.lineAt(hiding.start) + 1 } }),
    hasNewProperties: findFrontmatter(before) === undefined && findFrontmatter(text) !== undefined,
  };
}

/** The edits that put the text in its place; the last is the text itself. */
function editsFor(text: string, put: TextToPlace): readonly TextEdit[] {
  const { at, added } = put;
  switch (at) {
    case 'end':
      return appendText(text, added, put);
    case 'start':
      return prependText(text, added, put);
    case 'body':
      return replaceBody(text, added);
    default: {
      const section = (asked: string) => findSection(text, noteFacts(text), asked);
      return 'end' in at
        ? appendToSection(text, section(at.end), added, put)
        : replaceSectionContent(text, section(at.content), added);
    }
  }
}

function replaceBody(text: string, body: string): readonly TextEdit[] {
  const start = bodyStart(text);
  const lineEnd = lineEndAt(text, text.length);
  const put = lineEnd === undefined ? body : withLineEnds(body, lineEnd);
  // The closing `---` of the properties may be the end of the file, without a line end.
  const needsLine = put !== '' && !startsLine(text, start);
  return [
    ...(needsLine ? [{ range: { start, end: start }, text: lineEnd ?? '\n' }] : []),
    { range: { start, end: text.length }, text: put },
  ];
}

/** Code or a comment that a new text stands in, or that the new text opens and does not close. */
interface HidingPart {
  readonly how: 'inside' | 'opened';
  readonly what: 'code' | 'comment';
  /** Where the code or comment begins. */
  readonly start: number;
}

/**
 * Finds the code or comment that a new piece of a note stands in, or that it opens so that the text
 * after it is now inside; undefined when there is neither.
 */
function findHidingPart(
  text: string,
  facts: NoteFacts,
  { start, end }: TextRange,
): HidingPart | undefined {
  // At the end of the note there is no text that could be inside what the new text opens.
  const isLast = text.slice(end).trim() === '';
  for (const [what, ranges] of [
    ['code', facts.code],
    ['comment', facts.comments],
  ] as const) {
    const around = ranges.find((range) => range.start < start && range.end > start);
    if (around !== undefined) return { how: 'inside', what, start: around.start };
    const opened = ranges.find(
      (range) => range.start >= start && range.start < end && range.end > end,
    );
    if (opened !== undefined && !isLast) return { how: 'opened', what, start: opened.start };
  }
  return undefined;
}
