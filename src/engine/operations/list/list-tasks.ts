import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { abortReason, rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { isInside } from '../../../base/vault-path.ts';
import { folderView } from '../../notes/find-folder.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import { checkStatus } from '../../notes/task-status.ts';
import type { Page, PageRequest } from '../../ports/index-store.ts';
import type { NoteTask, WantedTasks } from '../../ports/note-work.ts';
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
    if (!isInside(path, view.within ?? '')) return { total: 0, tasks: [] };
    const { total, items } = await tasksOf(vault, path, { limit, offset, ...withStatus(status) });
    return { total, tasks: items.map((task) => listedTask(path, task)) };
  }
  const asked = { limit, offset, ...withStatus(status) };
  const { total, items } = await vault.ask('facts', (store) => store.tasks(view, asked));
  const lines = new Map<VaultPath, Set<number>>();
  for (const { path, line } of items) lines.set(path, (lines.get(path) ?? new Set()).add(line));
  const found = await inParallel(Array.from(lines), readsAtOnce, ([path, wanted]) =>
    tasksNow(vault, path, { lines: wanted, ...withStatus(status) }),
  );
  return { total, tasks: found.flat() };
}

function withStatus(status: string | undefined): { readonly status?: string } {
  return status === undefined ? {} : { status };
}

async function tasksOf(
  vault: BoundVault,
  path: VaultPath,
  wanted: WantedTasks & PageRequest,
): Promise<Page<NoteTask>> {
  const { text } = await vault.readText(path);
  return vault.work('tasks', text, wanted);
}

/** Those of a note's tasks that are wanted; none when the note cannot be read any more. */
async function tasksNow(
  vault: BoundVault,
  path: VaultPath,
  wanted: WantedTasks,
): Promise<ListedTask[]> {
  const { signal } = vault.caller;
  if (signal.aborted) throw abortReason(signal);
  try {
    const page = { limit: limits.resultsMax, offset: 0 };
    const { items } = await tasksOf(vault, path, { ...wanted, ...page });
    return items.map((task) => listedTask(path, task));
  } catch (error) {
    if (signal.aborted || !(error instanceof VaultError)) throw error;
    return rethrowIfAway(error) ?? [];
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
