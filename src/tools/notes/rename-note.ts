import { z } from 'zod';
import { renameNote } from '../../engine/operations/move/rename-file.ts';
import { defineTool } from '../define/define-tool.ts';
import {
  filled,
  flag,
  given,
  IfVersion,
  missing,
  NamedNote,
  namesOne,
  noteOf,
} from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

const shape = {
  new_name: filled('New name or path'),
  dry_run: flag('Change nothing, show the diff'),
  version: IfVersion,
};

export const renameNoteTool = defineTool({
  name: 'rename_note',
  title: 'Rename or move note',
  description:
    'Rename or move a note; links to it follow. A bare new name stays in its folder, "Folder/Name" is a path from the vault root, "Folder/" keeps the name, "/Name" is in the root itself. Not for folders.',
  effect: 'write',
  existing: 'old_name',
  published: z.object({ old_name: NamedNote.published, ...shape }),
  input: z
    .object({ old_name: NamedNote.accepted, path: NamedNote.accepted, ...shape })
    .refine(({ old_name, path }) => namesOne({ name: old_name, path }), missing('old_name')),
  output: writingSchema({
    old_path: z.string(),
    renamed: z.boolean(),
    /** How many links were rewritten, and in which files. */
    links: z.number(),
    files: z.array(z.string()).readonly(),
    files_total: z.number(),
  }),
  record: ['old_name', 'path', 'new_name'],
  run: async (vault, { old_name, path, new_name, dry_run: dryRun = false, version }) => {
    const report = await vault.change(renameNote, {
      ...given({ version }),
      name: noteOf({ name: old_name, path }),
      newName: new_name,
      dryRun,
    });
    const files = report.files.filter(({ did }) => did === 'changed');
    return writingAnswer(report, {
      old_path: report.from,
      renamed: !report.dryRun && report.change !== undefined,
      links: report.links,
      files: firstOf(files.map((file) => file.path)),
      files_total: files.length,
    });
  },
});
