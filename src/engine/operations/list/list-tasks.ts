import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { abortReason, rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { isInside } from '../../../base/vault-path.ts';
import type { TaskDateKind } from '../../../markdown/facts/task-fields.ts';
import { folderView } from '../../notes/find-folder.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import { appStatuses } from '../../notes/task-status.ts';
import type { PageRequest } from '../../ports/index-store.ts';
import type { NoteTask } from '../../ports/note-work.ts';
import type { TaskPage, TaskRequest } from '../../ports/task-request.ts';
import { parseDateRange } from '../../text/parse-date-range.ts';
import { tagName } from '../../text/tag-name.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

const readsAtOnce = 8;
const tagsMax = 50;

/** A task as callers get it. */
export interface ListedTask {
  readonly path: VaultPath;
  /** Counted from 1. */
  readonly line: number;
  /** The character between the brackets; a space for an open task. */
  readonly status: string;
  readonly text: string;
  /** The heading above the task; absent before the first heading. */
  readonly heading?: string;
}

interface ListTasksRequest extends PageRequest {
  readonly name?: NoteName;
  readonly folder: VaultFolder;
  readonly status?: string;
  /** One or several, separated by commas: tasks with any of them. */
  readonly tag?: string;
  readonly dates?: readonly AskedDate[];
}

/** A date of tasks, and what it must be, as `parseDateRange` takes it. */
export type AskedDate = readonly [kind: TaskDateKind, asked: string];

/**
 * Lists the tasks of one note or of all notes in a folder, sorted by path and line, or by the first
 * date that is asked for. The index says which notes have tasks; the tasks themselves are read from
 * the files, so a task that is gone is left out. `status` is a word of the app: `todo`, `done` or the
 * character between the brackets. Fails with `invalid_input` for any other status, for a date or a
 * tag that is not understood and for a file that is not a note, and with `not_found` when the note
 * or the folder does not exist.
 */
export async function listTasks(
  vault: BoundVault,
  { status, ...request }: ListTasksRequest,
): Promise<{ readonly total: number; readonly tasks: readonly ListedTask[] }> {
  const { total, items } = await wantedTasks(vault, request, appStatuses(status));
  return { total, tasks: items };
}

/** Like `listTasks`, for statuses that are known already. */
export async function wantedTasks(
  vault: BoundVault,
  { name, folder, ...asked }: Omit<ListTasksRequest, 'status'>,
  statuses: TaskRequest['statuses'],
): Promise<TaskPage<ListedTask>> {
  const request = taskRequest(asked, statuses, vault.vault.parts.clock.nowMs());
  const view = await folderView(vault, folder);
  if (name !== undefined) {
    const path = await findNote(vault, name);
    checkMarkdown(path);
    if (!isInside(path, view.within ?? '')) return { total: 0, items: [], others: [] };
    const { text } = await vault.readText(path);
    const page = await vault.work('tasks', text, request);
    return { ...page, items: page.items.map((task) => listedTask(path, task)) };
  }
  const page = await vault.ask('facts', (store) => store.tasks(view, request));
  const lines = new Map<VaultPath, Set<number>>();
  for (const { path, line } of page.items) {
    lines.set(path, (lines.get(path) ?? new Set()).add(line));
  }
  const found = await inParallel(Array.from(lines), readsAtOnce, ([path, wanted]) =>
    tasksNow(vault, path, { ...request, lines: wanted }),
  );
  const byPath = new Map(found);
  const items = page.items.flatMap(({ path, line }) => byPath.get(path)?.get(line) ?? []);
  return { ...page, items };
}

function taskRequest(
  { tag, dates = [], limit, offset }: Omit<ListTasksRequest, 'status' | 'name' | 'folder'>,
  statuses: TaskRequest['statuses'],
  nowMs: number,
): TaskRequest {
  const ranges = dates.map(([kind, text]) => ({ kind, ...parseDateRange(text, nowMs) }));
  const sort = ranges.find(({ none }) => !none)?.kind;
  return {
    limit,
    offset,
    ...(statuses === undefined ? {} : { statuses }),
    ...(tag === undefined ? {} : { tags: tagNames(tag) }),
    ...(ranges.length === 0 ? {} : { dates: ranges }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** The tags in a text, separated by commas. */
function tagNames(asked: string): readonly string[] {
  const tags = asked.split(',').map((tag) => tag.trim());
  const names = tags.filter((tag) => tag !== '' || tags.length === 1).map(tagName);
  if (names.length > 0 && names.length <= tagsMax) return names;
  throw new VaultError('invalid_input', `Give 1 to ${tagsMax} tags, separated by commas.`);
}

/** Those of a note's tasks that are wanted, by line; none when the note cannot be read any more. */
async function tasksNow(
  vault: BoundVault,
  path: VaultPath,
  wanted: TaskRequest & { readonly lines: ReadonlySet<number> },
): Promise<[path: VaultPath, tasks: Map<number, ListedTask>]> {
  const { signal } = vault.caller;
  if (signal.aborted) throw abortReason(signal);
  try {
    const { text } = await vault.readText(path);
    const page = { limit: limits.resultsMax, offset: 0 };
    const { items } = await vault.work('tasks', text, { ...wanted, ...page });
    return [path, new Map(items.map((task) => [task.line, listedTask(path, task)]))];
  } catch (error) {
    if (signal.aborted || !(error instanceof VaultError)) throw error;
    rethrowIfAway(error);
    return [path, new Map()];
  }
}

/**
 * Turns a task of a note into the form that callers get: lines count from 1, and there are no
 * ranges.
 */
export function listedTask(path: VaultPath, task: NoteTask): ListedTask {
  const { line, status, text, heading } = task;
  return { path, line: line + 1, status, text, ...(heading === undefined ? {} : { heading }) };
}
