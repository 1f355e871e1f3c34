import { z } from 'zod';
import { deleteNoteAt } from '../../engine/operations/move/delete-file.ts';
import { readWholeNote } from '../../engine/operations/read/read-note.ts';
import { appendOrCreate } from '../../engine/operations/write/append-or-create.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { withAdvice } from '../define/advice.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { withReport } from '../wording/writing-answer.ts';
import { NotePath, warningsShape } from './schemas.ts';

const missing = { content: '', exists: false };

export const noteReadTool = defineTool({
  name: 'note_read',
  title: 'Read note',
  description:
    'Read a note by its exact path: the whole text, properties included. A note that does not exist is no error: exists is false.',
  effect: 'read',
  existing: 'path',
  absent: missing,
  input: z.object({ path: NotePath }),
  output: z.object({ content: z.string(), exists: z.boolean() }),
  record: ['path'],
  run: async (vault, { path }) => {
    const note = await withAdvice({ too_large: readLinesInstead }, () =>
      readWholeNote(vault, { path }),
    );
    if (note === undefined) return missing;
    vault.served?.shown(note);
    return { content: note.text, exists: true };
  },
});

const readLinesInstead =
  'Look for the lines you need with vault_search, and this path as path_filter.';

export function noteUpsertTool(refusesUndescribed: boolean): AnyTool {
  return defineTool({
    name: 'note_upsert',
    title: 'Create note or append',
    description:
      'Create a note, with its folders, or append to the one at that path: a line break and the content at its very end. frontmatter is for a new note only.',
    effect: 'write',
    input: z.object({
      path: NotePath,
      content: z.string().describe('Markdown'),
      frontmatter: z
        .preprocess(objectOf, z.record(z.string(), z.unknown()).optional())
        .describe('Properties of a new note; ignored when it exists'),
    }),
    output: z.object({ created: z.boolean(), ...warningsShape }),
    record: ['path'],
    run: async (vault, { path, content, frontmatter = {} }) => {
      // Arguments come as JSON, so every value is a `PropertyValue`.
      const properties = frontmatter as Readonly<Record<string, PropertyValue>>;
      const request = { path, content, properties };
      const report = await changeNote(vault, appendOrCreate, request, {
        advice: { already_exists: usePathThere },
        description: { isRefused: refusesUndescribed, how: describeNew },
      });
      return withReport(report, { created: report.created });
    },
  });
}

const describeNew =
  'Give it in "frontmatter" of note_upsert when the note is made; no tool here adds it later.';

const usePathThere = 'Use that path to append to what is there: upper and lower case count.';

/** Some clients send an object as JSON text, and `null` or `""` for an argument without a value. */
function objectOf(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const noteDeleteTool = defineTool({
  name: 'note_delete',
  title: 'Delete note',
  description:
    'Move a note to the trash by its exact path; links to it stay. Only when the user asks for it. deleted is false when there was none.',
  effect: 'destroy',
  existing: 'path',
  absent: { deleted: false },
  input: z.object({ path: NotePath }),
  output: z.object({ deleted: z.boolean(), ...warningsShape }),
  record: ['path'],
  run: async (vault, { path }) => {
    const report = await vault.change(deleteNoteAt, { path });
    return withReport(report, { deleted: report.deleted });
  },
});
