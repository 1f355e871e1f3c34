import { z } from 'zod';
import { readWholeNote } from '../../engine/operations/read/read-note.ts';
import { withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { NotePath } from './schemas.ts';

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
    const note = await withAdvice({ too_large: instead }, () => readWholeNote(vault, { path }));
    if (note === undefined) return missing;
    vault.served?.shown(note);
    return { content: note.text, exists: true };
  },
});

const instead = 'Look for the lines you need with vault_search, and this path as path_filter.';
