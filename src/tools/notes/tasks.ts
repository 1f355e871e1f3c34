import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { findTasks } from '../../engine/operations/list/find-tasks.ts';
import { markTask } from '../../engine/operations/write/mark-task.ts';
import { taskDateKinds } from '../../markdown/facts/task-fields.ts';
import { askedDates } from '../define/asked-dates.ts';
import { defineTool } from '../define/define-tool.ts';
import {
  count,
  countOr,
  given,
  IfVersion,
  missing,
  NamedNote,
  namesOne,
  noteOf,
  optionalText,
} from '../define/note-input.ts';
import { fitItems, nextOffset } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

const listedCharsMax = 500;

const published = z.object({
  status: optionalText('open (default), done, in progress, cancelled, all, or a character'),
  folder: optionalText('Only in it'),
  name: optionalText('Only in this note'),
  tag: optionalText('On the task; a, b'),
  due: optionalText('<2026-01-01, 2026-01-01..2026-01-07, today, overdue, none'),
  limit: countOr(100, 'At most', { max: limits.resultsMax }),
  offset: count('To skip'),
});

/** A tool that lists tasks, grouped by note: `"line: text"`, with `[c]` where the status is another. */
export const listTasksTool = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'List tasks (checkboxes), sorted by the date asked for: due, scheduled, start, done. To change one: set_task.',
  effect: 'read',
  existing: 'name',
  published,
  input: published.extend({
    path: optionalText('Exactly this file'),
    scheduled: optionalText('As due'),
    start: optionalText('As due'),
    done: optionalText('As due'),
    created: optionalText('As due'),
    cancelled: optionalText('As due'),
  }),
  output: z.object({
    total: z.number(),
    tasks: z.record(z.string(), z.array(z.string()).readonly()),
    next_offset: z.number().optional(),
    /** How many more are not done, by the character between the brackets. */
    other_status: z.record(z.string(), z.number()).optional(),
    /** How many of them have a date that is on no calendar, such as 2026-02-31. */
    impossible_dates: z.number().optional(),
    global_filter: z.string().optional(),
  }),
  record: ['status', 'folder', 'name', 'path', 'tag', ...taskDateKinds, 'limit', 'offset'],
  run: async (vault, args) => {
    const { folder = '', name, path, tag, status, limit, offset = 0 } = args;
    const dates = askedDates(args);
    const ended = dates
      .map(([kind]) => kind)
      .find((kind) => kind === 'done' || kind === 'cancelled');
    const found = await findTasks(vault, {
      ...(namesOne({ name, path }) ? { name: noteOf({ name, path }) } : {}),
      ...given({ tag }),
      folder: vaultFolder(folder),
      status: status ?? ended ?? 'open',
      dates,
      limit,
      offset,
    });
    const { total, usual, others, unreal = 0, globalFilter } = found;
    const beside = {
      ...(others.length === 0 ? {} : { other_status: Object.fromEntries(others) }),
      ...(unreal === 0 ? {} : { impossible_dates: unreal }),
      ...(globalFilter === '' ? {} : { global_filter: globalFilter }),
    };
    const rows = found.items.map(({ path: of, line, status, text }) => {
      const mark = status === usual ? '' : `[${status}] `;
      const cut = text.length > listedCharsMax ? `${text.slice(0, listedCharsMax)}…` : text;
      return [of, `${line}: ${mark}${cut}`] as const;
    });
    const shown = fitItems(rows, beside);
    const byNote = new Map<string, string[]>(shown.map(([of]) => [of, []]));
    for (const [of, row] of shown) byNote.get(of)?.push(row);
    const tasks = Object.fromEntries(byNote);
    return { total, tasks, ...nextOffset({ total, offset, shown: shown.length }), ...beside };
  },
});

const changedCharsMax = 1_000;

const shape = {
  line: count('Its line', { min: 1 }),
  text: optionalText('Or its text, or a part of it'),
  status: optionalText('done (default), open, cancelled, in progress, or a character'),
};

export const setTaskTool = defineTool({
  name: 'set_task',
  title: 'Set task',
  description:
    'Check off a task, or set another status; dates and recurrence as the Tasks plugin does. To find tasks: list_tasks.',
  effect: 'write',
  existing: 'name',
  published: z.object({ name: NamedNote.published, ...shape }),
  input: z
    .object({
      name: NamedNote.accepted,
      path: NamedNote.accepted,
      ...shape,
      version: IfVersion,
    })
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
  return text.length <= changedCharsMax ? text : `${text.slice(0, changedCharsMax)}…`;
}
