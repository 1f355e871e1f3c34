import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import { fileKind } from '../../engine/ports/file-kind.ts';
import type { BoundVault, NoteText } from '../../engine/vault/bound-vault.ts';
import { fitLines } from './fit-answer.ts';

/** How many characters the closing line of a cut answer may take. */
const closingCharsMax = 240;

/** A part of a note as an answer shows it. Lines are counted from 1. */
export interface ShownText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  /** After how many characters the line `last` is cut, and how many it has; absent if it is not. */
  readonly cut?: { readonly shown: number; readonly of: number };
  /** Whether it ends before the range that was asked for. */
  readonly shortened: boolean;
}

/** The note of which a part is shown. */
type Shown = Pick<NoteText, 'path' | 'text' | 'version'>;

/**
 * Shows the lines of a note that are asked for, as many as fit into an answer, and says how many
 * lines the note has. Fails with `invalid_input` for an offset after the last line or after the end
 * of the first one, and for an attachment that is not text.
 */
export function showLines(
  vault: BoundVault,
  note: Shown,
  request: {
    readonly offset: number;
    /** How many characters of the first of these lines to leave out. */
    readonly skip?: number;
    readonly limit: number | undefined;
    /** How many characters of the text fit from `start` on; when absent, `showText` decides. */
    readonly room?: (text: string, start: number) => number;
  },
): ShownText & { readonly lines: number } {
  const { path, text } = note;
  const { offset, skip = 0, limit, room } = request;
  checkText(path, text);
  const total = lineCount(text);
  if (offset > 0 && offset >= total) {
    throw new VaultError(
      'invalid_input',
      `"${path}" has ${total} lines; offset must be less than that.`,
      {
        details: { path, lines: total },
      },
    );
  }
  const lines = new LineIndex(text);
  const after = offset + (limit ?? total);
  const lineStart = lines.startOf(offset);
  const start = lineStart + skip;
  const length = endOfLine(lines, offset, text) - lineStart;
  if (skip > 0 && skip >= length) {
    throw new VaultError(
      'invalid_input',
      `Line ${offset + 1} has ${length} characters; skip must be less than that.`,
      { details: { path, line: offset + 1 } },
    );
  }
  const range = { start, end: after < total ? lines.startOf(after) : text.length };
  return { ...showText(vault, note, range, room?.(text, start)), lines: total };
}

/** Fails with `invalid_input` for an attachment that is not text. */
function checkText(path: string, text: string): void {
  if (fileKind(path) !== 'attachment' || !/[\0\ufffd]/.test(text)) return;
  throw new VaultError('invalid_input', `"${path}" is not text, so it cannot be read as a note.`, {
    details: { path },
  });
}

/**
 * Shows a range of a note, as much as fits into an answer, with room for a closing line unless the
 * range is the rest of the note. Records that the connection was shown this part (`ServedNotes`).
 */
export function showText(
  vault: BoundVault,
  note: Shown,
  range: TextRange,
  charsMax: number = roomFor(note, range),
): ShownText {
  const { text } = note;
  const lines = new LineIndex(text);
  const shown = fitLines(text, lines, range, charsMax);
  if (shown.start === 0 && shown.end === text.length) vault.served?.shown(note);
  else vault.served?.shown(note, shown);
  const last = lines.lineAt(Math.max(shown.start, shown.end - 1));
  const lineStart = lines.startOf(last);
  const lineEnd = endOfLine(lines, last, text);
  const shortened = shown.end < range.end;
  return {
    // The byte order mark is left out: nobody wrote it, and it should not be copied.
    text: text.slice(shown.start, shown.end).replace(/^\ufeff/, ''),
    first: lines.lineAt(shown.start) + 1,
    last: last + 1,
    shortened,
    ...(shortened && shown.end < lineEnd
      ? { cut: { shown: shown.end - lineStart, of: lineEnd - lineStart } }
      : {}),
  };
}

/**
 * Shows a section of a note, or its first lines, as `showText` does; `end` is the last line of the
 * section.
 */
export function showSection(
  vault: BoundVault,
  note: Shown,
  content: TextRange,
  { limit, room }: Pick<Parameters<typeof showLines>[2], 'limit' | 'room'>,
): ShownText & { readonly end: number } {
  const { text } = note;
  const lines = new LineIndex(text);
  const after = lines.lineAt(content.start) + (limit ?? lines.count);
  const end = after < lines.count ? Math.min(content.end, lines.startOf(after)) : content.end;
  const range = { start: content.start, end };
  const shown = showText(vault, note, range, room?.(text, content.start));
  return { ...shown, end: lines.lineAt(Math.max(content.start, content.end - 1)) + 1 };
}

/** Where a line ends, with its line end. */
function endOfLine(lines: LineIndex, line: number, text: string): number {
  return line + 1 < lines.count ? lines.startOf(line + 1) : text.length;
}

/** How many characters fit; less when the answer may need a closing line. */
function roomFor({ text }: Shown, { start, end }: TextRange): number {
  const isRest = end === text.length && end - start <= limits.answerCharsMax;
  return isRest ? limits.answerCharsMax : limits.answerCharsMax - closingCharsMax;
}

/** The closing line of an answer that ends in the middle of a line; `how` is put before `offset`. */
export function cutLineClosing({ last, cut }: ShownText, how = ''): string {
  const { shown, of } = cut ?? { shown: 0, of: 0 };
  return `\n[Line ${last} is cut after ${shown} of its ${of} characters. ${limited}: go on with ${how}offset=${last - 1}, skip=${shown}.]`;
}

/** The beginning of a sentence that says why an answer is cut. */
export const limited = `The answer is limited to ${limits.answerCharsMax} characters`;

/** How many lines a text has. A line end at the very end does not begin another line. */
function lineCount(text: string): number {
  const { count } = new LineIndex(text);
  return text === '' || /[\r\n]$/.test(text) ? count - 1 : count;
}
