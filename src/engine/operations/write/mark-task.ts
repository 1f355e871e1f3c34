import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { NoteTask } from '../../ports/note-work.ts';
import type { TaskFilter } from '../../ports/task-request.ts';
import { otherStatuses, readTaskSettings, statusChars } from '../../settings/task-settings.ts';
import { todayNumber } from '../../text/day-number.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { changeTask } from './task-change.ts';

const shownMax = 5;
/** So many tasks are looked at for those nearest to a line. */
const tasksMax = 1_000;

interface MarkTaskRequest {
  readonly name: NoteName;
  /** Counted from 1. */
  readonly line?: number;
  /** The text of the task or a part of it, without regard to case. */
  readonly text?: string;
  /** As `statusChars` takes it. */
  readonly status: string;
  readonly version?: VersionStart;
}

interface MarkedTask {
  readonly path: VaultPath;
  /** The line of the task after the change, from 1; absent when the line was removed. */
  readonly line?: number;
  readonly text?: string;
  readonly status: string;
  /** The task that follows a recurring one. */
  readonly next?: { readonly line: number; readonly text: string };
}

/**
 * Gives a task another status, with everything that the Tasks plugin does then (`changeTask`). The
 * task is named by its line, by a text that only it has, or by both, which must agree. Fails with
 * `not_found` or `ambiguous` when that is not one task, and shows those that could be meant; and
 * with `invalid_input` for a status or a rule that is not understood, and for a character with which
 * it would no longer be a task.
 */
export async function markTask(draft: Draft, request: MarkTaskRequest): Promise<MarkedTask> {
  const settings = await readTaskSettings(draft.vault.vault.parts.disk);
  for (const problem of settings.problems) draft.warn(problem);
  const [usual, ...alike] = statusChars(settings, request.status);
  const { path, text: note } = await readMarkdown(draft, request);
  // Of several tasks with one text, such as those of a recurring one, one that is not done is meant.
  const before = [
    otherStatuses(settings, usual),
    { chars: [usual], not: true } as const,
    undefined,
  ];
  const task = await taskMeant(draft, { path, text: note, before }, request);
  const status = alike.includes(task.status) ? task.status : usual;
  const today = todayNumber(draft.nowMs);
  const { text, next } = changeTask(task, status, { settings, today });
  const place = placeOf(note, task);
  const nextLine = next && `${place.before}${next.status}]${place.gap}${next.text}`;
  await draft.edit(path, editsFor(place, { status, text, nextLine, below: settings.nextBelow }));
  const isAbove = next !== undefined && text !== undefined && !settings.nextBelow;
  const line = task.line + (isAbove ? 1 : 0);
  const nextAt =
    task.line + (next !== undefined && text !== undefined && settings.nextBelow ? 1 : 0);
  await checkTasks(draft, path, [
    ...(text === undefined ? [] : [{ line, status, text }]),
    ...(next === undefined ? [] : [{ line: nextAt, ...next }]),
  ]);
  return {
    path,
    status,
    ...(text === undefined ? {} : { line: line + 1, text }),
    ...(next === undefined ? {} : { next: { line: nextAt + 1, text: next.text } }),
  };
}

interface NoteOfTasks {
  readonly path: VaultPath;
  readonly text: string;
  /** The statuses that the task may have before the change: the first that some task has count. */
  readonly before: readonly TaskFilter['statuses'][];
}

/** The task that a request names. */
async function taskMeant(
  { vault }: Draft,
  { path, text: note, before }: NoteOfTasks,
  { line, text }: Pick<MarkTaskRequest, 'line' | 'text'>,
): Promise<NoteTask> {
  const page = { limit: tasksMax, offset: 0 };
  const called = text === undefined ? page : { ...page, called: text };
  const lines = line === undefined ? {} : { lines: new Set([line - 1]) };
  for (const statuses of before) {
    const asked = { ...called, ...lines, limit: shownMax, ...(statuses && { statuses }) };
    const { total, items: tasks } = await vault.work('tasks', note, asked);
    const [task] = tasks;
    if (task !== undefined && total === 1) return task;
    if (task !== undefined) {
      throw failure('ambiguous', `${total} tasks fit; give "line"`, { path, total, tasks });
    }
  }
  // Where the text has moved to another line, that is the task to show; else the nearest ones.
  const moved = line === undefined ? undefined : await vault.work('tasks', note, called);
  const shown = moved?.items.length ? moved : await vault.work('tasks', note, page);
  const tasks = shown.items.toSorted((a, b) => away(a, line) - away(b, line));
  const what =
    line === undefined
      ? `No task of "${path}" has that text`
      : `Line ${line} of "${path}" is not ${text === undefined ? 'a task' : 'that task'}`;
  throw failure('not_found', what, { path, total: shown.total, tasks, ...(line && { line }) });
}

function away(task: NoteTask, line = 1): number {
  return Math.abs(task.line + 1 - line);
}

function failure(
  code: 'not_found' | 'ambiguous',
  message: string,
  found: { tasks: readonly NoteTask[]; total: number; path: VaultPath; line?: number },
): VaultError {
  const { tasks, total, ...details } = found;
  if (total === 0) {
    return new VaultError(code, `${message}; the note has no tasks.`, { details });
  }
  const shown = tasks.slice(0, shownMax);
  const lines = shown.map((task) => task.line + 1);
  const excerpt = shown
    .map((task) => `${task.line + 1}: [${task.status}] ${task.text.slice(0, 200)}`)
    .join('\n');
  const which = total > shown.length ? `; ${shown.length} of the ${total}:` : ':';
  return new VaultError(code, message + which, { details: { ...details, lines }, excerpt });
}

/** The parts of the line of a task. */
interface TaskPlace {
  readonly start: number;
  /** The end of the line without its line end, and with it. */
  readonly end: number;
  readonly next: number;
  readonly lineEnd: string;
  /** Everything before the character between the brackets. */
  readonly before: string;
  /** What stands between the bracket and the text. */
  readonly gap: string;
  readonly statusRange: NoteTask['statusRange'];
  readonly textStart: number;
  readonly textLength: number;
}

function placeOf(note: string, { statusRange, text }: NoteTask): TaskPlace {
  const start =
    Math.max(...['\n', '\r'].map((end) => note.lastIndexOf(end, statusRange.start))) + 1;
  const rest = /[^\n\r]*(\r\n|\n|\r|$)/y;
  rest.lastIndex = statusRange.end;
  const [line = '', lineEnd = ''] = rest.exec(note) ?? [];
  const next = statusRange.end + line.length;
  const end = next - lineEnd.length;
  const afterBracket = note.slice(statusRange.end + 1, end);
  const gap = text === '' ? ' ' : afterBracket.slice(0, afterBracket.indexOf(text));
  return {
    start,
    end,
    next,
    lineEnd: lineEnd === '' ? (/\r\n|\n|\r/.exec(note)?.[0] ?? '\n') : lineEnd,
    before: note.slice(start, statusRange.start),
    gap,
    statusRange,
    textStart: statusRange.end + 1 + (text === '' ? afterBracket.length : gap.length),
    textLength: text.length,
  };
}

function editsFor(
  place: TaskPlace,
  change: {
    readonly status: string;
    readonly text: string | undefined;
    readonly nextLine: string | undefined;
    readonly below: boolean;
  },
) {
  const { start, end, next, lineEnd, statusRange, textStart, textLength } = place;
  const { status, text, nextLine, below } = change;
  if (text === undefined) {
    return nextLine === undefined
      ? [{ range: { start, end: next }, text: '' }]
      : [{ range: { start, end }, text: nextLine }];
  }
  const above = nextLine === undefined || below ? '' : nextLine + lineEnd;
  const beneath = nextLine === undefined || !below ? '' : lineEnd + nextLine;
  return [
    { range: { start, end: start }, text: above },
    { range: statusRange, text: status },
    { range: { start: textStart, end: textStart + textLength }, text },
    { range: { start: end, end }, text: beneath },
  ];
}

/** Fails unless these tasks now stand on these lines, counted from 0. */
async function checkTasks(
  draft: Draft,
  path: VaultPath,
  expected: readonly { readonly line: number; readonly status: string; readonly text: string }[],
): Promise<void> {
  const lines = new Set(expected.map(({ line }) => line));
  const { text: note } = await draft.read(path);
  const page = { limit: expected.length, offset: 0, lines };
  const { items } = await draft.vault.work('tasks', note, page);
  const isAsExpected = expected.every((task) =>
    items.some(
      ({ line, status, text }) =>
        line === task.line && status === task.status && text === task.text.trim(),
    ),
  );
  if (isAsExpected) return;
  throw new VaultError(
    'invalid_input',
    'With that character between the brackets it would no longer be a task; choose another.',
    { details: { path } },
  );
}
