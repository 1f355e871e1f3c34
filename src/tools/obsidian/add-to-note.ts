import { z } from 'zod';
import { appendNote, prependNote } from '../../engine/operations/write/append-note.ts';
import { defineTool } from '../define/define-tool.ts';
import { noteOf, Text } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract-data.ts';
import { seedNoteInput } from './seed-note-input.ts';

export const appendNoteTool = defineTool({
  name: 'obsidian_append_note',
  title: 'Append to note',
  description: 'Append content to the end of a note',
  effect: 'write',
  existing: 'name',
  ...seedNoteInput({ content: Text.describe('Content to append (markdown)') }),
  output: writingSchema({ appended: z.literal(true) }),
  record: ['name', 'path'],
  run: async (vault, { content, ...which }) => {
    const report = await vault.change(appendNote, { name: noteOf(which), text: content });
    return writingAnswer(report, { appended: true as const });
  },
  ...contractData,
});

export const prependNoteTool = defineTool({
  name: 'obsidian_prepend_note',
  title: 'Prepend to note',
  description: 'Prepend content to a note, after its properties',
  effect: 'write',
  existing: 'name',
  ...seedNoteInput({ content: Text.describe('Content to prepend (markdown)') }),
  output: writingSchema({ prepended: z.literal(true) }),
  record: ['name', 'path'],
  run: async (vault, { content, ...which }) => {
    const report = await vault.change(prependNote, { name: noteOf(which), text: content });
    return writingAnswer(report, { prepended: true as const });
  },
  ...contractData,
});
