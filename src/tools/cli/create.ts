import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { createNote } from '../../engine/operations/write/create-note.ts';
import { upsertNote } from '../../engine/operations/write/upsert-note.ts';
import { defineChange } from './define-change.ts';
import { IfVersion, listOf, NewPath, Properties, Text } from './schemas.ts';

export const createTool = defineChange({
  name: 'create',
  title: 'Create a note',
  description:
    'Makes a new note, canvas or base, and the folders it needs. Its name is taken literally, and nothing is overwritten unless asked.',
  effect: 'write',
  input: z.object({
    path: NewPath,
    content: Text.exactOptional(),
    properties: Properties,
    overwrite: z.boolean().exactOptional().describe('Replace what is there.'),
    counted: z
      .boolean()
      .exactOptional()
      .describe('If the name is taken, make "name 1", "name 2" and so on.'),
  }),
  result: z.object({ path: z.string(), others: listOf(z.string()) }),
  record: ['path', 'overwrite', 'counted'],
  positional: ['path', 'content'],
  content: { argument: 'content', bytesMax: limits.noteBytesMax },
  operation: createNote,
  notes: ({ others }) => others.map((path) => `has the same name: ${path}`),
});

export const upsertTool = defineChange({
  name: 'upsert',
  title: 'Create or update a note',
  description: 'Gives a note this text, whether it is there already or not.',
  effect: 'write',
  input: z.object({
    path: NewPath,
    text: Text,
    mode: z
      .enum(['replace', 'append', 'body'])
      .exactOptional()
      .describe(
        'What happens to a note that is there: all of it is replaced, the text is appended, or the properties stay and the body is replaced.',
      ),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), did: z.enum(['created', 'changed', 'unchanged']) }),
  record: ['path', 'mode'],
  positional: ['path', 'text'],
  content: { argument: 'text', bytesMax: limits.noteBytesMax },
  operation: upsertNote,
});
