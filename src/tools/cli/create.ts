import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { applyTemplate } from '../../engine/operations/write/apply-template.ts';
import { createNote } from '../../engine/operations/write/create-note.ts';
import { dailyNote } from '../../engine/operations/write/daily-note.ts';
import { upsertNote } from '../../engine/operations/write/upsert-note.ts';
import { defineChange } from './define-change.ts';
import {
  IfVersion,
  Inline,
  listOf,
  NewPath,
  NoteName,
  Properties,
  Section,
  Text,
} from './schemas.ts';

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

const PathAndCreated = z.object({ path: z.string(), created: z.boolean() });

export const dailyTool = defineChange({
  name: 'daily',
  title: 'Daily note',
  description:
    "Makes the daily note if it is not there, and adds text to it. Folder, format and template are those of the vault's settings.",
  effect: 'write',
  input: z.object({
    content: Text.exactOptional(),
    date: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The day: YYYY-MM-DD, yesterday or tomorrow. Today unless given.'),
    prepend: z.boolean().exactOptional().describe('Add the text at the beginning.'),
    section: Section.exactOptional().describe('Add the text to this section.'),
    inline: Inline,
    version: IfVersion,
  }),
  result: PathAndCreated,
  record: ['date', 'prepend', 'section', 'inline'],
  positional: ['content'],
  content: { argument: 'content', bytesMax: limits.noteBytesMax },
  operation: dailyNote,
  notes: ({ path }, { change }) => (change === undefined ? [`the daily note is ${path}`] : []),
});

export const templateTool = defineChange({
  name: 'template',
  title: 'Use a template',
  description: 'Makes a new note from a template, or inserts the template into a note.',
  effect: 'write',
  input: z.object({
    template: z.string().min(1).describe('The template: its path, or its name.'),
    path: NewPath.exactOptional().describe('The new note to make.'),
    name: NoteName.exactOptional().describe('The note to insert it into.'),
    title: z.string().min(1).exactOptional().describe('What {{title}} stands for.'),
    properties: Properties,
    version: IfVersion,
  }),
  result: PathAndCreated,
  record: ['template', 'path', 'name'],
  positional: ['template', 'path'],
  operation: applyTemplate,
});
