import { z } from 'zod';
import { deleteNoteAt } from '../../engine/operations/move/delete-file.ts';
import { defineTool } from '../define/define-tool.ts';
import { withReport } from '../wording/writing-answer.ts';
import { NotePath, warningsShape } from './schemas.ts';

export const noteDeleteTool = defineTool({
  name: 'note_delete',
  title: 'Delete note',
  description:
    'Move a note to the trash by its exact path; links to it stay. Only when the user asks for it. deleted is false when there was none.',
  effect: 'destroy',
  existing: 'path',
  absent: { deleted: false },
  input: z.object({ path: NotePath }),
  output: z.object({ deleted: z.boolean(), ...warningsShape }),
  record: ['path'],
  run: async (vault, { path }) => {
    const report = await vault.change(deleteNoteAt, { path });
    return withReport(report, { deleted: report.deleted });
  },
});
