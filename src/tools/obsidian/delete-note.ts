import { z } from 'zod';
import { deleteFile } from '../../engine/operations/move/delete-file.ts';
import { defineTool } from '../define/define-tool.ts';
import { flag, noteOf } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract-data.ts';
import { seedNoteInput } from './seed-note-input.ts';

export const deleteNoteTool = defineTool({
  name: 'obsidian_delete_note',
  title: 'Delete note',
  description: 'Delete a note, to the trash by default; links to it stay',
  effect: 'destroy',
  existing: 'name',
  ...seedNoteInput({ permanent: flag('Skip the trash') }),
  output: writingSchema({
    deleted: z.literal(true),
    /** Where it is now. */
    trash: z.string().optional(),
  }),
  record: ['name', 'path', 'permanent'],
  run: async (vault, { permanent = false, ...which }) => {
    const report = await vault.change(deleteFile, { name: noteOf(which), permanent });
    const { where } = report;
    return writingAnswer(report, {
      deleted: true as const,
      ...(where === undefined ? {} : { trash: where }),
    });
  },
  ...contractData,
});
