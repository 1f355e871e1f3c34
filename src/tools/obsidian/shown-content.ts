import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import type { BoundVault, NoteText } from '../../engine/vault/bound-vault.ts';
import { charsWithin, fitLines } from '../wording/fit-answer.ts';
import type { ShownText } from '../wording/shown-text.ts';
import { limited, showLines } from '../wording/shown-text.ts';

/** The fields of an answer that has the text of a note. */
export const contentShape = {
  content: z.string(),
  /** Why the text is cut and how to read on; absent when it is whole. */
  truncated: z.string().optional(),
  next_offset: z.number().optional(),
};

/** How many characters everything in an answer but the text and the path may take. */
const aroundCharsMax = 600;

/** The lines of a note that are asked for, as many as an answer holds. */
export function shownContent(
  vault: BoundVault,
  note: Pick<NoteText, 'path' | 'text' | 'version'>,
  request: {
    readonly offset?: number;
    readonly skip?: number;
    readonly limit?: number | undefined;
  } = {},
) {
  const { offset = 0, skip = 0, limit } = request;
  const room = (text: string, start: number) => charsWithin(text, start, roomIn(note.path));
  const { lines, ...shown } = showLines(vault, note, { offset, skip, limit, room });
  return {
    content: shown.text,
    ...(shown.shortened ? { truncated: truncation(shown, lines) } : {}),
    ...(shown.last < lines ? { next_offset: shown.last } : {}),
  };
}

/** Says which part is shown, and how to read on. */
function truncation({ first, last, cut }: ShownText, lines: number): string {
  if (cut !== undefined) {
    const { shown, of } = cut;
    return `${limited}: line ${last} is cut after ${shown} of its ${of} characters; read the rest of it with obsidian_read_note, offset ${last - 1}, skip ${shown}.`;
  }
  const next = last < lines ? `; go on with obsidian_read_note, offset ${last}` : '';
  return `${limited}: lines ${first}-${last} of ${lines} are here${next}.`;
}

/** As much of a text as an answer holds, for texts that are not the present text of a note. */
export function contentWithin(path: string, text: string) {
  const all = { start: 0, end: text.length };
  const { end } = fitLines(text, new LineIndex(text), all, charsWithin(text, 0, roomIn(path)));
  if (end === text.length) return { content: text };
  const truncated = `${limited}: the first ${end} of ${text.length} are here.`;
  return { content: text.slice(0, end), truncated };
}

/** How many characters of a text fit into an answer, as JSON. */
function roomIn(path: string): number {
  return limits.answerCharsMax - JSON.stringify(path).length - aroundCharsMax;
}
