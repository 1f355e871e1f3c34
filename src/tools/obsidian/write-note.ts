import { z } from 'zod';
import { appendNote, prependNote } from '../../engine/operations/write/append-note.ts';
import { createNamedNote } from '../../engine/operations/write/create-note.ts';
import { createUniqueNote } from '../../engine/operations/write/create-unique-note.ts';
import { changeNote, type DescriptionRule } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { flag, given, noteOf, optionalText, Text } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData, contractNoteInput } from './contract.ts';

export function createNoteTool(description: DescriptionRule): AnyTool {
  return defineTool({
    name: 'obsidian_create_note',
    title: 'Create note',
    description: 'Create a new note in the vault',
    effect: 'write',
    ...contractNoteInput({
      content: optionalText('Initial note content (markdown)'),
      overwrite: flag('Overwrite if file exists'),
    }),
    output: writingSchema({
      created: z.literal(true),
      /** Present when a note with other content was replaced. */
      overwritten: z.literal(true).optional(),
    }),
    record: ['name', 'path', 'overwrite'],
    run: async (vault, { content, overwrite = false, ...which }) => {
      const request = { name: noteOf(which), content: content ?? '', overwrite };
      const report = await changeNote(vault, createNamedNote, request, {
        advice: { already_exists: adviceIfTaken },
        description,
      });
      const isNew = report.files.some(
        (file) => file.path === report.path && file.did === 'created',
      );
      return writingAnswer(report, {
        created: true as const,
        ...(isNew ? {} : { overwritten: true as const }),
      });
    },
    ...contractData,
  });
}

const adviceIfTaken = 'Or set overwrite to replace it, or add to it with obsidian_append_note.';

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

export const appendNoteTool = defineTool({
  name: 'obsidian_append_note',
  title: 'Append to note',
  description: 'Append content to the end of a note',
  effect: 'write',
  existing: 'name',
  ...contractNoteInput({ content: Text.describe('Content to append (markdown)') }),
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
  ...contractNoteInput({ content: Text.describe('Content to prepend (markdown)') }),
  output: writingSchema({ prepended: z.literal(true) }),
  record: ['name', 'path'],
  run: async (vault, { content, ...which }) => {
    const report = await vault.change(prependNote, { name: noteOf(which), text: content });
    return writingAnswer(report, { prepended: true as const });
  },
  ...contractData,
});
