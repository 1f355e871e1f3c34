import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { NoteTask } from '../../notes/note-tasks.ts';
import { tasksIn } from '../../notes/note-tasks.ts';
import { checkStatus, doneStatus, openStatus } from '../../notes/task-status.ts';
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
  readonly version?: Version;
}

/**
 * Sets the status of a task, or toggles it as the app does: an open task becomes done, any other
 * becomes open. Changes only the character between the brackets. Fails with `not_found` when there
 * is no task on that line, and with `invalid_input` for a character with which it would no longer
 * be a task.
 */
export async function setTask(draft: Draft, request: SetTaskRequest): Promise<ListedTask> {
  checkStatus(request.status);
  const { path, text } = await readMarkdown(draft, request);
  const tasks = tasksIn(text);
  const task = tasks.find(({ line }) => line === request.line - 1);
  if (task === undefined) throw noTask(path, request.line, tasks);
  const status = newStatus(task, request.status);
  await draft.edit(path, [{ range: task.statusRange, text: status }]);
  const changed = tasksIn((await draft.read(path)).text).find(({ line }) => line === task.line);
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

function noTask(path: VaultPath, line: number, tasks: readonly NoteTask[]): VaultError {
  const lines = tasks.slice(0, shownMax).map((task) => task.line + 1);
  const more = tasks.length > shownMax ? ' …' : '';
  const hint =
    lines.length === 0
      ? 'the note has no tasks'
      : `its tasks are on line${tasks.length === 1 ? '' : 's'} ${lines.join(', ')}${more}`;
  return new VaultError('not_found', `There is no task on line ${line} of "${path}"; ${hint}.`, {
    details: { path, line, lines },
  });
}
