import { z } from 'zod';
import { appendOrCreate } from '../../engine/operations/write/append-or-create.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { changeNote } from '../define/change-note.ts';
import { defineTool } from '../define/define-tool.ts';
import { withReport } from '../wording/writing-answer.ts';
import { NotePath, warningsShape } from './schemas.ts';

export const noteUpsertTool = defineTool({
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
    // Arguments are JSON, and so is everything in them.
    const properties = frontmatter as Readonly<Record<string, PropertyValue>>;
    const request = { path, content, properties };
    const report = await changeNote(vault, appendOrCreate, request, {
      advice: { already_exists: instead },
    });
    return withReport(report, { created: report.created });
  },
});

const instead = 'Use that path to append to what is there: upper and lower case count.';

/** Some clients send an object as its JSON, and what they leave out as null or nothing. */
function objectOf(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
