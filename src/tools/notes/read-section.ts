import { z } from 'zod';
import { LineIndex } from '../../base/text-range.ts';
import { shortVersion } from '../../base/version.ts';
import { openSection } from '../../engine/operations/read/read-section.ts';
import { severalHeadings, withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { noteInput, noteOf, Section } from '../define/note-input.ts';
import type { ShownText } from '../wording/shown-text.ts';
import { cutLineClosing, limited, showSection } from '../wording/shown-text.ts';
import { noteMeta } from './notes-voice.ts';

export const readSectionTool = defineTool({
  name: 'read_section',
  title: 'Read section',
  description: 'Read what is under a heading, with its subsections. Whole notes: read_note.',
  effect: 'read',
  existing: 'name',
  ...noteInput({ section: Section }),
  output: z.object({
    path: z.string(),
    version: z.string(),
    heading: z.string(),
    /** The line of the heading. */
    line: z.number(),
    text: z.string(),
    closing: z.string().optional(),
  }),
  record: ['name', 'path', 'section'],
  run: async (vault, { section: asked, ...which }) => {
    const { note, section } = await withAdvice(
      { ambiguous: severalHeadings(adviceToReadAll) },
      () => openSection(vault, { name: noteOf(which), section: asked }),
    );
    const { heading, content } = section;
    const lines = new LineIndex(note.text);
    const shown = showSection(vault, note, content, { limit: undefined });
    return {
      path: note.path,
      version: shortVersion(note.version),
      heading: heading.text,
      line: lines.lineAt(heading.range.start) + 1,
      text: shown.text,
      closing: sectionClosing(shown),
    };
  },
  text: ({ text, closing }) => text + (closing ?? ''),
  meta: noteMeta,
});

const adviceToReadAll = 'Or read the whole note with read_note.';

/** The last line of an answer that does not show the whole section; undefined when it does. */
export function sectionClosing(shown: ShownText & { readonly end: number }): string | undefined {
  const { first, last, end, shortened, cut } = shown;
  if (cut !== undefined) return cutLineClosing(shown, `read_note, limit=${end - last + 1}, `);
  if (last >= end) return undefined;
  const next = `go on with read_note, offset=${last}, limit=${end - last}`;
  return `[Lines ${first}-${last} of the note; the section ends on line ${end}${shortened ? `. ${limited}` : ''}: ${next}.]`;
}
