import { z } from 'zod';
import { createNamedNote } from '../../engine/operations/write/create-note.ts';
import { createUniqueNote } from '../../engine/operations/write/create-unique-note.ts';
import { changeNote } from '../define/change-note.ts';
import { defineTool } from '../define/define-tool.ts';
import { flag, given, noteOf, optionalText } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract-data.ts';
import { seedNoteInput } from './seed-note-input.ts';

export const createNoteTool = defineTool({
  name: 'obsidian_create_note',
  title: 'Create note',
  description: 'Create a new note in the vault',
  effect: 'write',
  ...seedNoteInput({
    content: optionalText('Initial note content (markdown)'),
    overwrite: flag('Overwrite if file exists'),
  }),
  output: writingSchema({
    created: z.literal(true),
    /** Whether another content was there. */
    overwritten: z.literal(true).optional(),
  }),
  record: ['name', 'path', 'overwrite'],
  run: async (vault, { content, overwrite = false, ...which }) => {
    const request = { name: noteOf(which), content: content ?? '', overwrite };
    const report = await changeNote(vault, createNamedNote, request, {
      advice: { already_exists: instead },
    });
    const isNew = report.files.some((file) => file.path === report.path && file.did === 'created');
    return writingAnswer(report, {
      created: true as const,
      ...(isNew ? {} : { overwritten: true as const }),
    });
  },
  ...contractData,
});

const instead = 'Or set overwrite to replace it, or add to it with obsidian_append_note.';

export const uniqueNoteTool = defineTool({
  name: 'obsidian_unique_note',
  title: 'Create unique note',
  description: 'Create a note named by the current time, from the template set for unique notes',
  effect: 'write',
  input: z.object({ content: optionalText('Markdown to add') }),
  output: writingSchema({ created: z.literal(true) }),
  record: [],
  run: async (vault, { content }) => {
    const report = await vault.change(createUniqueNote, given({ content }));
    return writingAnswer(report, { created: true as const });
  },
  ...contractData,
});
