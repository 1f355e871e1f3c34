import { z } from 'zod';
import { findTasks } from '../../engine/operations/list/find-tasks.ts';
import { markTask } from '../../engine/operations/write/mark-task.ts';
import { askedDates } from '../define/asked-dates.ts';
import { defineTool, type Paint } from '../define/define-tool.ts';
import { defineChange } from './define-change.ts';
import { cutToWidth } from './display-width.ts';
import { Folder, IfVersion, limitOf, listOf, NoteName, Offset, pageOf } from './schemas.ts';
import { lines, listRemarks, plain } from './text.ts';

const TaskDate = z.string().min(1).exactOptional();

const TaskSchema = z.object({
  path: z.string(),
  line: z.number(),
  status: z.string(),
  text: z.string(),
  heading: z.string().exactOptional(),
});
type Task = z.output<typeof TaskSchema>;

export const tasksTool = defineTool({
  name: 'tasks',
  title: 'Tasks',
  description:
    'Lists the open tasks (checkboxes) of the vault, a folder or a note, with their lines. A date sorts them by it.',
  effect: 'read',
  input: z.object({
    name: NoteName.exactOptional(),
    done: z.boolean().default(false).describe('List those that are done.'),
    all: z.boolean().default(false).describe('List all of them, open or not.'),
    status: z
      .string()
      .min(1)
      .exactOptional()
      .describe('open, done, in progress, cancelled, or the character between the brackets.'),
    folder: Folder,
    tag: z.string().min(1).exactOptional().describe('Only with this tag on the line; or "a, b".'),
    due: TaskDate.describe('Only due then: today, overdue, none, "<2026-01-01", "this week".'),
    scheduled: TaskDate.describe('As --due, for the date that a task is scheduled for.'),
    start: TaskDate.describe('As --due, for the date that a task starts.'),
    limit: limitOf(200),
    offset: Offset,
  }),
  output: pageOf(TaskSchema).extend({
    /** How many more are not done, by the character between the brackets. */
    others: listOf(z.tuple([z.string(), z.number()]).readonly()),
    /** How many are done, where open ones were asked for and there are none. */
    done: z.number().exactOptional(),
  }),
  record: [
    ...['name', 'done', 'all', 'status', 'folder', 'tag', 'due', 'scheduled', 'start'],
    ...['limit', 'offset'],
  ],
  positional: ['name'],
  examples: [
    'vaultdoor tasks',
    `vaultdoor tasks 'Flood map' --all`,
    'vaultdoor tasks --folder Projects --due none',
  ],
  run: async (vault, { name, done, all, status, folder, tag, limit, offset, ...dates }) => {
    const asked = status ?? (all ? 'all' : done ? 'done' : 'open');
    const request = {
      ...(name === undefined ? {} : { name }),
      ...(tag === undefined ? {} : { tag }),
      folder,
      dates: askedDates(dates),
    };
    const { total, items, others } = await findTasks(vault, {
      ...request,
      status: asked,
      limit,
      offset,
    });
    if (total > 0 || asked !== 'open') return { total, items, others };
    const finished = await findTasks(vault, { ...request, status: 'done', limit: 1, offset: 0 });
    return { total, items, others, done: finished.total };
  },
  text: (page, paint) => lines(taskLines(page.items, paint)),
  remarks: ({ done = 0, others, ...page }) => [
    ...listRemarks(
      done === 0
        ? 'No such tasks.'
        : `No open tasks; --all shows ${done} done ${done === 1 ? 'one' : 'ones'}.`,
    )(page),
    ...(others.length === 0 ? [] : [othersText(others)]),
  ],
});

/** How many tasks have other statuses that are not done either. */
function othersText(others: readonly (readonly [status: string, count: number])[]): string {
  const [[first = ''] = []] = others;
  const counts = others.map(([status, count]) => `${count} [${plain(status)}]`);
  return `Not done either: ${counts.join(', ')}; --all lists them too, --status "${plain(first)}" only one kind.`;
}

/** The tasks under the paths of their notes, each with its line and its box. */
function taskLines(tasks: readonly Task[], paint: Paint): string[] {
  const width = tasks.reduce((widest, { line }) => Math.max(widest, String(line).length), 0);
  return tasks.flatMap(({ path, line, status, text }, at) => {
    const place = `  ${String(line).padStart(width)}  `;
    const shown = `[${plain(status)}] ${plain(text)}`;
    const room = paint.columns === undefined ? undefined : paint.columns - place.length;
    const cut = room === undefined ? shown : cutToWidth(shown, room);
    return [
      ...(tasks[at - 1]?.path === path ? [] : [paint.strong(plain(path))]),
      paint.faint(place) + cut,
    ];
  });
}

export const taskTool = defineChange({
  name: 'task',
  title: 'Set a task',
  description:
    'Checks off a task, or gives it another status. Dates and recurrence are set as the Tasks plugin does.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    task: z.string().min(1).describe('The task: its line, from "tasks", or a part of its text.'),
    status: z
      .string()
      .min(1)
      .default('done')
      .describe('done, open, cancelled, in progress, or the character between the brackets.'),
    version: IfVersion,
  }),
  result: z.object({
    path: z.string(),
    line: z.number().exactOptional(),
    text: z.string().exactOptional(),
    status: z.string(),
    next: z.object({ line: z.number(), text: z.string() }).exactOptional(),
  }),
  record: ['name', 'status'],
  positional: ['name', 'task'],
  examples: [
    `vaultdoor task 'Flood map' 29`,
    `vaultdoor task 'Bike shed' 'three builders' --status 'in progress'`,
  ],
  operation: (draft, { task, ...request }) =>
    markTask(draft, {
      ...request,
      ...(/^\d{1,9}$/.test(task) ? { line: Number(task) } : { text: task }),
    }),
  notes: ({ line, text, status, next }) => [
    ...(line === undefined ? ['its line was removed'] : [`${line}  [${status}] ${text ?? ''}`]),
    ...(next === undefined ? [] : [`next: ${next.line}  [ ] ${next.text}`]),
  ],
});
