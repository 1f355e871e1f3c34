import { z } from 'zod';
import { markTask } from '../../engine/operations/write/mark-task.ts';
import { defineTool } from '../define/define-tool.ts';
import {
  count,
  given,
  IfVersion,
  missing,
  NamedNote,
  namesOne,
  noteOf,
  optionalText,
} from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

const textCharsMax = 1_000;

const shape = {
  line: count('Its line', { min: 1 }),
  text: optionalText('Or its text or a unique part of it; with line both must fit'),
  status: optionalText('done (default), open, cancelled, in progress, or a character'),
  version: IfVersion,
};

export const setTaskTool = defineTool({
  name: 'set_task',
  title: 'Set task',
  description:
    'Check a task off, or give it another status. Sets or removes the done date and adds the next task of a recurring one as the Tasks plugin does. To find tasks use list_tasks.',
  effect: 'write',
  existing: 'name',
  published: z.object({ name: NamedNote.published, ...shape }),
  input: z
    .object({ name: NamedNote.accepted, path: NamedNote.accepted, ...shape })
    .refine((args) => namesOne(args), missing('name'))
    .refine(({ line, text }) => line !== undefined || text !== undefined, {
      path: ['line'],
      error: 'it is missing: give line, text or both; list_tasks shows them',
    }),
  output: writingSchema({
    line: z.number().optional(),
    text: z.string().optional(),
    status: z.string(),
    removed: z.literal(true).optional(),
    next: z.object({ line: z.number(), text: z.string() }).optional(),
  }),
  record: ['name', 'path', 'line', 'status'],
  run: async (vault, { name, path, line, text, status = 'done', version }) => {
    const report = await vault.change(markTask, {
      ...given({ line, text, version }),
      name: noteOf({ name, path }),
      status,
    });
    const { next } = report;
    return writingAnswer(report, {
      ...(report.line === undefined
        ? { removed: true as const }
        : { line: report.line, text: cutText(report.text ?? '') }),
      status: report.status,
      ...(next === undefined ? {} : { next: { ...next, text: cutText(next.text) } }),
    });
  },
});

function cutText(text: string): string {
  return text.length <= textCharsMax ? text : `${text.slice(0, textCharsMax)}…`;
}
