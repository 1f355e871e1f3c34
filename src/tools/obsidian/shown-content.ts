import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import type { BoundVault, NoteText } from '../../engine/vault/bound-vault.ts';
import { charsWithin, fitLines } from '../wording/fit-answer.ts';
import type { ShownText } from '../wording/shown-text.ts';
import { limited, showLines } from '../wording/shown-text.ts';

/** What an answer has of a text. */
export const contentShape = {
  content: z.string(),
  /** Why it is not all of it, and how to go on. */
  truncated: z.string().optional(),
  next_offset: z.number().optional(),
};

/** What stands around the text in an answer, its path aside, may take this. */
const aroundCharsMax = 600;

/** The lines of a note that are asked for, as far as the answer holds them as JSON. */
export function shownContent(
  vault: BoundVault,
  note: Pick<NoteText, 'path' | 'text' | 'version'>,
  { offset = 0, limit }: { readonly offset?: number; readonly limit?: number | undefined } = {},
) {
  const room = (text: string, start: number) => charsWithin(text, start, roomIn(note.path));
  const { lines, ...shown } = showLines(vault, note, { offset, limit, room });
  return {
    content: shown.text,
    ...(shown.shortened ? { truncated: truncation(shown, lines) } : {}),
    ...(shown.last < lines ? { next_offset: shown.last } : {}),
  };
}

function truncation({ first, last, cut }: ShownText, lines: number): string {
  const part =
    cut === undefined
      ? `lines ${first}-${last} of ${lines} are here`
      : `the first ${cut.shown} of the ${cut.of} characters of line ${last} are here`;
  const next = last < lines ? `; go on with obsidian_read_note, offset ${last}` : '';
  return `${limited}: ${part}${next}.`;
}

/** A text that is no note of this moment, as far as the answer holds it. */
export function contentWithin(path: string, text: string) {
  const all = { start: 0, end: text.length };
  const { end } = fitLines(text, new LineIndex(text), all, charsWithin(text, 0, roomIn(path)));
  if (end === text.length) return { content: text };
  const truncated = `${limited}: the first ${end} of ${text.length} are here.`;
  return { content: text.slice(0, end), truncated };
}

function roomIn(path: string): number {
  return limits.answerCharsMax - JSON.stringify(path).length - aroundCharsMax;
}
