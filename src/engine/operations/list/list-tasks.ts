import { inParallel } from '../../../base/in-parallel.ts';
import { rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { isInside } from '../../../base/vault-path.ts';
import { folderView } from '../../notes/find-folder.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import type { NoteTask } from '../../notes/note-tasks.ts';
import { tasksIn } from '../../notes/note-tasks.ts';
import { checkStatus, hasStatus } from '../../notes/task-status.ts';
import type { PageRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

const readsAtOnce = 8;

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

/**
 * Lists the tasks of one note or of all notes in a folder, sorted by path and line. The index says
 * which notes have tasks; the tasks themselves are read from the files, so a task that is gone is
 * left out. `status` is `todo`, `done` or the character between the brackets. Fails with
 * `invalid_input` for any other status and for a file that is not a note, and with `not_found` when
 * the note or the folder does not exist.
 */
export async function listTasks(
  vault: BoundVault,
  request: PageRequest & {
    readonly name?: NoteName;
    readonly folder: VaultFolder;
    readonly status?: string;
  },
): Promise<{ readonly total: number; readonly tasks: readonly ListedTask[] }> {
  const { name, status, limit, offset } = request;
  checkStatus(status);
  const view = await folderView(vault, request.folder);
  if (name !== undefined) {
    const path = await findNote(vault, name);
    checkMarkdown(path);
    const all = isInside(path, view.within ?? '') ? await tasksOf(vault, path) : [];
    const tasks = all.filter((task) => hasStatus(task.status, status));
    return { total: tasks.length, tasks: tasks.slice(offset, offset + limit) };
  }
  const asked = { limit, offset, ...(status === undefined ? {} : { status }) };
  const { total, items } = await vault.ask('facts', (store) => store.tasks(view, asked));
  const lines = new Map<VaultPath, Set<number>>();
  for (const { path, line } of items) lines.set(path, (lines.get(path) ?? new Set()).add(line + 1));
  const found = await inParallel(Array.from(lines), readsAtOnce, async ([path, wanted]) =>
    (await tasksNow(vault, path)).filter(
      (task) => wanted.has(task.line) && hasStatus(task.status, status),
    ),
  );
  return { total, tasks: found.flat() };
}

async function tasksOf(vault: BoundVault, path: VaultPath): Promise<ListedTask[]> {
  const { text } = await vault.readText(path);
  return tasksIn(text).map((task) => listedTask(path, task));
}

/** The same as `tasksOf`, but returns no tasks when the note cannot be read any more. */
async function tasksNow(vault: BoundVault, path: VaultPath): Promise<ListedTask[]> {
  if (vault.caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  try {
    return await tasksOf(vault, path);
  } catch (error) {
    if (error instanceof VaultError) return rethrowIfAway(error) ?? [];
    throw error;
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
