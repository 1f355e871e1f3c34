import type { TextRange } from '../../base/text-range.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { scanNote } from './scan-note.ts';

/** A fenced code block of a note. */
export interface CodeBlock {
  /** The word after its fence. */
  readonly language: string;
  /** Where its fence is in the note. */
  readonly start: number;
  /** What is in it, without the marks of the quotes and lists around it. */
  readonly text: string;
  /** Where each line of `text` begins in the note. */
  readonly lineStarts: readonly number[];
}

const fence = /( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]+)[ \t]*(?:\r?\n|$)/y;

/**
 * The code blocks of a note in one of some languages, in their order: also those in quotes, callouts
 * and lists. `code` is what the scan of the note has found as code.
 */
export function codeBlocks(
  note: string,
  languages: readonly string[],
  code?: readonly TextRange[],
): readonly CodeBlock[] {
  if (!languages.some((language) => note.includes(language))) return [];
  return (code ?? scanNote(note).code).flatMap(({ start, end }): readonly CodeBlock[] => {
    fence.lastIndex = start;
    const [opening = '', , marks = '', language = ''] = fence.exec(note) ?? [];
    if (!languages.includes(language) || start + opening.length > end) return [];
    const around = marksAround(note, start);
    const lines: string[] = [];
    const lineStarts: number[] = [];
    for (let from = start + opening.length; from < end || lines.length === 0; ) {
      const feed = note.indexOf('\n', from);
      const to = feed === -1 || feed >= end ? end : feed + 1;
      const at = Math.min(afterMarks(note, from, around), to);
      lineStarts.push(at);
      lines.push(note.slice(at, to));
      if (to === end) break;
      from = to;
    }
    if (isClosing(lines.at(-1) ?? '', marks)) {
      lines.pop();
      if (lineStarts.length > 1) lineStarts.pop();
    }
    return [{ language, start, text: lines.join(''), lineStarts }];
  });
}

/** Edits of the text of a block as edits of the note: new lines get the marks of the line before. */
export function editsInNote(
  note: string,
  { text, lineStarts }: CodeBlock,
  edits: readonly TextEdit[],
): readonly TextEdit[] {
  const textStarts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    textStarts.push(at + 1);
  }
  const placed = (offset: number) => {
    let line = 0;
    for (let above = textStarts.length; above - line > 1; ) {
      const middle = (line + above) >> 1;
      if ((textStarts[middle] ?? 0) <= offset) line = middle;
      else above = middle;
    }
    const from = lineStarts[Math.min(line, lineStarts.length - 1)] ?? 0;
    return { from, offset: from + offset - (textStarts[line] ?? 0) };
  };
  return edits.map(({ range, text: put }) => {
    const { from, offset } = placed(range.start);
    const marks = note.slice(note.lastIndexOf('\n', from - 1) + 1, from);
    const end = placed(range.end).offset;
    return { range: { start: offset, end }, text: put.replaceAll('\n', `\n${marks}`) };
  });
}

/** How many signs of quotes stand before a block on its line, and the columns of indentation then. */
function marksAround(note: string, start: number): { quotes: number; columns: number } {
  const before = note.slice(note.lastIndexOf('\n', start - 1) + 1, start);
  const quotes = before.split('>').length - 1;
  const rest = before.slice(before.lastIndexOf('>') + 1);
  const inner = quotes > 0 ? rest.replace(/^[ \t]/, '') : rest;
  let columns = 0;
  for (const character of inner) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return { quotes, columns };
}

/** Where the content of a line begins, after the marks that `marksAround` has found. */
function afterMarks(
  note: string,
  from: number,
  { quotes, columns }: { readonly quotes: number; readonly columns: number },
): number {
  let at = from;
  for (let left = quotes; left > 0; left--) {
    let sign = at;
    while (isBlank(note, sign)) sign++;
    if (note[sign] !== '>') break;
    at = isBlank(note, sign + 1) ? sign + 2 : sign + 1;
  }
  for (let width = 0; width < columns && isBlank(note, at); at++) {
    width += note[at] === '\t' ? 4 - (width % 4) : 1;
  }
  return at;
}

function isBlank(note: string, at: number): boolean {
  return note[at] === ' ' || note[at] === '\t';
}

/** Whether a line closes a fence: the same sign, at least as often. */
function isClosing(line: string, marks: string): boolean {
  const signs = line.trim();
  return (
    signs.length >= marks.length &&
    signs === marks.charAt(0).repeat(signs.length) &&
    /^ {0,3}\S/.test(line)
  );
}
