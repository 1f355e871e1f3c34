import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import { appStatuses, doneStatus, openStatus } from '../../notes/task-status.ts';
import type { NoteTask } from '../../ports/note-work.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { ListedTask } from '../list/list-tasks.ts';
import { listedTask } from '../list/list-tasks.ts';

const shownMax = 10;

interface SetTaskRequest {
  readonly name: NoteName;
  /** Counted from 1. */
  readonly line: number;
  /** `todo`, `done` or one character; without it the task is toggled. */
  readonly status?: string;
  readonly version?: VersionStart;
}

/**
 * Sets the status of a task, or toggles it as the app does: an open task becomes done, any other
 * becomes open. Changes only the character between the brackets. Fails with `not_found` when there
 * is no task on that line, and with `invalid_input` for a character with which it would no longer
 * be a task.
 */
export async function setTask(draft: Draft, request: SetTaskRequest): Promise<ListedTask> {
  appStatuses(request.status); // Fails for a status that is none.
  const { path, text } = await readMarkdown(draft, request);
  const task = await taskAt(draft, text, request.line - 1);
  if (task === undefined) throw await noTask(draft, { path, text, line: request.line });
  const status = newStatus(task, request.status);
  await draft.edit(path, [{ range: task.statusRange, text: status }]);
  const changed = await taskAt(draft, (await draft.read(path)).text, task.line);
  if (changed?.status === status) return listedTask(path, changed);
  throw new VaultError(
    'invalid_input',
    'With that character between the brackets it would no longer be a task; choose another.',
    { details: { path, line: request.line } },
  );
}

function newStatus({ status }: NoteTask, asked: string | undefined): string {
  switch (asked) {
    case undefined:
      return status === openStatus ? doneStatus : openStatus;
    case 'todo':
      return openStatus;
    case 'done':
      return doneStatus;
    default:
      return asked;
  }
}

/** The task on a line, counted from 0. */
async function taskAt(draft: Draft, text: string, line: number): Promise<NoteTask | undefined> {
  const wanted = { lines: new Set([line]), limit: 1, offset: 0 };
  return (await draft.vault.work('tasks', text, wanted)).items[0];
}

async function noTask(
  { vault }: Draft,
  { path, text, line }: { readonly path: VaultPath; readonly text: string; readonly line: number },
): Promise<VaultError> {
  const { total, items } = await vault.work('tasks', text, { limit: shownMax, offset: 0 });
  const lines = items.map((task) => task.line + 1);
  const more = total > shownMax ? ' …' : '';
  const hint =
    lines.length === 0
      ? 'the note has no tasks'
      : `its tasks are on line${total === 1 ? '' : 's'} ${lines.join(', ')}${more}`;
  return new VaultError('not_found', `There is no task on line ${line} of "${path}"; ${hint}.`, {
    details: { path, line, lines },
  });
}
