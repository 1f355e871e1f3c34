import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import type { ListedTask } from '../../engine/operations/list/list-tasks.ts';
import { listTasks } from '../../engine/operations/list/list-tasks.ts';
import { setTask } from '../../engine/operations/write/set-task.ts';
import { askedDates } from '../define/asked-dates.ts';
import { defineTool } from '../define/define-tool.ts';
import {
  countOr,
  given,
  namesOne,
  neededCount,
  noteInput,
  noteOf,
  optionalText,
} from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract.ts';
import { cutItem, listPage, Offset, pageShape } from './list-page.ts';

const Status = 'todo, done, or the character in the brackets';

const published = z.object({
  name: optionalText('Only of this note'),
  folder: optionalText('Only in this folder'),
  status: optionalText(Status),
  tag: optionalText('Only with this tag on the line'),
  due: optionalText(
    'Due (Tasks plugin): "<2026-01-01", "2026-01-01..2026-01-07", "this week", overdue, none',
  ),
  scheduled: optionalText('Scheduled, as due'),
  start: optionalText('Start, as due'),
  limit: countOr(100, 'At most this many', { min: 1, max: limits.resultsMax }),
  offset: Offset,
});

export const tasksTool = defineTool({
  name: 'obsidian_tasks',
  title: 'List tasks',
  description: 'List the tasks of the vault, a folder or a note, with their lines',
  effect: 'read',
  existing: 'name',
  published,
  input: published.extend({ path: optionalText('Exactly this file') }),
  output: z.object(
    pageShape(
      'tasks',
      z.object({
        path: z.string(),
        line: z.number(),
        status: z.string(),
        text: z.string(),
        heading: z.string().optional(),
      }),
    ),
  ),
  record: [
    'name',
    'path',
    'folder',
    'status',
    'tag',
    'due',
    'scheduled',
    'start',
    'limit',
    'offset',
  ],
  run: async (vault, args) => {
    const { name, path, folder = '', status, tag, limit, offset = 0 } = args;
    const { total, tasks } = await listTasks(vault, {
      ...(namesOne({ name, path }) ? { name: noteOf({ name, path }) } : {}),
      ...given({ status, tag }),
      folder: vaultFolder(folder),
      dates: askedDates(args),
      limit,
      offset,
    });
    return listPage('tasks', { total, items: tasks.map(shownTask), offset });
  },
});

function shownTask({ heading, ...task }: ListedTask) {
  return {
    ...task,
    text: cutItem(task.text),
    ...(heading === undefined ? {} : { heading: cutItem(heading) }),
  };
}

export const taskSetTool = defineTool({
  name: 'obsidian_task_set',
  title: 'Set task',
  description: 'Toggle the task on a line of a note, or give it a status',
  effect: 'write',
  existing: 'name',
  ...noteInput({ line: neededCount('Line of the task'), status: optionalText(Status) }),
  output: writingSchema({ line: z.number(), status: z.string(), text: z.string() }),
  record: ['name', 'path', 'line', 'status'],
  run: async (vault, { line, status, ...which }) => {
    const request = { name: noteOf(which), line, ...given({ status }) };
    const report = await vault.change(setTask, request);
    const { text } = report;
    return writingAnswer(report, { line, status: report.status, text: cutItem(text) });
  },
  ...contractData,
});
