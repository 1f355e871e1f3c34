import { z } from 'zod';
import { shortVersion } from '../../base/version.ts';
import { readNote } from '../../engine/operations/read/read-note.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, nameOrPathInput, noteOf } from '../define/note-input.ts';
import type { ShownText } from '../wording/shown-text.ts';
import { cutLineClosing, limited, showLines } from '../wording/shown-text.ts';
import { noteMeta } from './notes-voice.ts';

export const readNoteTool = defineTool({
  name: 'read_note',
  title: 'Read note',
  description:
    'Read a note: properties and body, as on disk. A long one comes in parts: go on with offset. For one section use read_section.',
  effect: 'read',
  existing: 'name',
  ...nameOrPathInput({
    offset: count('Lines to skip'),
    skip: count('Characters to skip in the first line read'),
    limit: count('Lines to read', { min: 1 }),
  }),
  output: z.object({
    path: z.string(),
    version: z.string(),
    text: z.string(),
    /** How many lines the note has. */
    lines: z.number(),
    /** When there is more: a last line that says what was shown, and how to go on. */
    closing: z.string().optional(),
  }),
  record: ['name', 'path', 'offset', 'skip', 'limit'],
  run: async (vault, { offset = 0, skip = 0, limit, ...which }) => {
    const note = await readNote(vault, { name: noteOf(which) });
    const { lines, ...shown } = showLines(vault, note, { offset, skip, limit });
    const { path } = note;
    const version = shortVersion(note.version);
    return { path, version, text: shown.text, lines, closing: closingOf(shown, lines) };
  },
  text: ({ text, closing }) => text + (closing ?? ''),
  meta: noteMeta,
});

/** The last line of an answer that does not show the whole note; undefined when it does. */
function closingOf(shown: ShownText, total: number): string | undefined {
  const { first, last, shortened, cut } = shown;
  if (cut !== undefined) return cutLineClosing(shown);
  const next = `go on with offset=${last}`;
  if (last >= total) return undefined;
  return `[Lines ${first}-${last} of ${total}${shortened ? `. ${limited}: ${next}` : `: ${next}`}.]`;
}
