import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { applyTemplate } from '../../engine/operations/write/apply-template.ts';
import { dailyNote } from '../../engine/operations/write/daily-note.ts';
import { defineChange } from './define-change.ts';
import { IfVersion, Inline, NewPath, NoteName, Properties, Section, Text } from './schemas.ts';

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
