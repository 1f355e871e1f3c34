import { z } from 'zod';
import { deleteFile } from '../../engine/operations/move/delete-file.ts';
import { defineTool } from '../define/define-tool.ts';
import { flag, given, IfVersion, noteInput, noteOf } from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

const Place = z.object({ path: z.string(), line: z.number() });

export const deleteNoteTool = defineTool({
  name: 'delete_note',
  title: 'Delete note',
  description:
    'Move a note to .trash; links to it become plain text. Only when the user asks for it.',
  effect: 'destroy',
  existing: 'name',
  ...noteInput({ dry_run: flag('Only show the diff'), version: IfVersion }),
  output: writingSchema({
    deleted: z.boolean(),
    trash: z.string(),
    unlinked: z.number(),
    /** Where the links to it were. */
    files: z.array(Place).readonly(),
    files_total: z.number(),
    /** Links that could not become plain text, and still name the deleted note. */
    left: z
      .array(Place.extend({ kind: z.enum(['embed', 'canvas', 'base', 'link']) }))
      .readonly()
      .optional(),
  }),
  record: ['name', 'path'],
  run: async (vault, { name, path, dry_run: dryRun = false, version }) => {
    const report = await vault.change(deleteFile, {
      ...given({ version }),
      name: noteOf({ name, path }),
      links: 'unlink',
      trash: 'local',
      dryRun,
    });
    const { where = '.trash', unlinked, linkedFrom, left } = report;
    return writingAnswer(report, {
      deleted: !report.dryRun,
      trash: where,
      unlinked,
      files: firstOf(linkedFrom),
      files_total: linkedFrom.length,
      ...(left.length === 0 ? {} : { left: firstOf(left) }),
    });
  },
});
