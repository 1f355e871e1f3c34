import { z } from 'zod';
import { deleteFile } from '../../engine/operations/move/delete-file.ts';
import { moveFile } from '../../engine/operations/move/move-file.ts';
import { renameFile } from '../../engine/operations/move/rename-file.ts';
import { defineTool } from '../define/define-tool.ts';
import { filled, flag, noteOf } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData, contractNoteInput } from './contract.ts';

export const moveNoteTool = defineTool({
  name: 'obsidian_move_note',
  title: 'Move note',
  description: 'Move a note to another folder or path; links to it are updated',
  effect: 'write',
  existing: 'name',
  ...contractNoteInput({
    to: filled('Folder (a new one ends with "/") or new path; "/" is the vault itself'),
  }),
  output: writingSchema({
    from: z.string(),
    /** False when the note was there already. */
    moved: z.boolean(),
    /** How many links were rewritten. */
    links: z.number(),
  }),
  record: ['name', 'path', 'to'],
  run: async (vault, { to, ...which }) => {
    const report = await vault.change(moveFile, { name: noteOf(which), to });
    const { path, from, links } = report;
    return writingAnswer(report, { from, moved: path !== from, links });
  },
  ...contractData,
});

export const renameNoteTool = defineTool({
  name: 'obsidian_rename_note',
  title: 'Rename note',
  description: 'Rename a note; links to it are updated',
  effect: 'write',
  existing: 'name',
  ...contractNoteInput({
    new_name: filled('New name (without .md extension); one with "/" is a path'),
  }),
  output: writingSchema({ from: z.string(), renamed: z.boolean(), links: z.number() }),
  record: ['name', 'path', 'new_name'],
  run: async (vault, { new_name: newName, ...which }) => {
    const request = { name: noteOf(which), newName, only: 'file' } as const;
    const report = await vault.change(renameFile, request);
    const { path, from, links } = report;
    return writingAnswer(report, { from, renamed: path !== from, links });
  },
  ...contractData,
});

export const deleteNoteTool = defineTool({
  name: 'obsidian_delete_note',
  title: 'Delete note',
  description: 'Delete a note, to the trash by default; links to it stay',
  effect: 'destroy',
  existing: 'name',
  ...contractNoteInput({ permanent: flag('Skip the trash') }),
  output: writingSchema({
    deleted: z.literal(true),
    /** Where the note is now; absent when it was deleted for good. */
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
