import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import { fileKind } from '../../engine/ports/file-kind.ts';
import type { BoundVault, NoteText } from '../../engine/vault/bound-vault.ts';
import { fitLines } from './fit-answer.ts';

/** What the line that ends a cut answer may take. */
const closingCharsMax = 240;

/** A part of a note as an answer shows it. Lines are counted from 1. */
export interface ShownText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  /** How many of the characters of `last` are shown, and of how many; unless it is all of them. */
  readonly cut?: { readonly shown: number; readonly of: number };
  /** Whether it ends before the range that was asked for. */
  readonly shortened: boolean;
}

type Shown = Pick<NoteText, 'path' | 'text' | 'version'>;

/**
 * The lines of a note that are asked for, as far as an answer holds them, and how many lines it has.
 * Fails with `invalid_input` for an offset behind its end, and for what is not text.
 */
export function showLines(
  vault: BoundVault,
  note: Shown,
  request: {
    readonly offset: number;
    readonly limit: number | undefined;
    /** How much the answer holds of the text from a place on; what `showText` does otherwise. */
    readonly room?: (text: string, start: number) => number;
  },
): ShownText & { readonly lines: number } {
  const { path, text } = note;
  const { offset, limit, room } = request;
  checkText(path, text);
  const total = lineCount(text);
  if (offset > 0 && offset >= total) {
    throw new VaultError('invalid_input', `"${path}" has ${total} lines: offset must be less.`, {
      details: { path, lines: total },
    });
  }
  const lines = new LineIndex(text);
  const after = offset + (limit ?? total);
  const start = lines.startOf(offset);
  const range = { start, end: after < total ? lines.startOf(after) : text.length };
  return { ...showText(vault, note, range, room?.(text, start)), lines: total };
}

/** Attachments may be anything; what is not text would only be noise. */
function checkText(path: string, text: string): void {
  if (fileKind(path) !== 'attachment' || !/[\0\ufffd]/.test(text)) return;
  throw new VaultError('invalid_input', `"${path}" is not text, so it cannot be read as a note.`, {
    details: { path },
  });
}

/**
 * A range of a note as far as an answer holds it, with room for a closing line unless it is the
 * rest of the note. The connection is known to have been shown this much and no more.
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
  const lineEnd = last + 1 < lines.count ? lines.startOf(last + 1) : text.length;
  const shortened = shown.end < range.end;
  return {
    // A byte order mark is no part of what anyone wrote, nor of what may be copied from it.
    text: text.slice(shown.start, shown.end).replace(/^\ufeff/, ''),
    first: lines.lineAt(shown.start) + 1,
    last: last + 1,
    shortened,
    ...(shortened && shown.end < lineEnd
      ? { cut: { shown: shown.end - lineStart, of: lineEnd - lineStart } }
      : {}),
  };
}

function roomFor({ text }: Shown, { start, end }: TextRange): number {
  const isRest = end === text.length && end - start <= limits.answerCharsMax;
  return isRest ? limits.answerCharsMax : limits.answerCharsMax - closingCharsMax;
}

/** The line that ends an answer which is cut inside a line. */
export function cutLineClosing({ last, cut }: ShownText, next: string): string {
  const { shown, of } = cut ?? { shown: 0, of: 0 };
  return `\n[Line ${last} is cut: the first ${shown} of its ${of} characters, because the answer is limited to ${limits.answerCharsMax} characters.${next}]`;
}

export const limited = `The answer is limited to ${limits.answerCharsMax} characters`;

/** How many lines a text has; a line end at its end begins no further one. */
function lineCount(text: string): number {
  const { count } = new LineIndex(text);
  return text === '' || /[\r\n]$/.test(text) ? count - 1 : count;
}
