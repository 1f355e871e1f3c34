import { VaultError } from '../../base/vault-error.ts';
import type { TaskFilter } from '../ports/task-request.ts';

/** The character of an open task. */
export const openStatus = ' ';
/** The character that the app writes for a done task. */
export const doneStatus = 'x';

/** The characters that a wanted task has, or must not have; undefined for any. */
type Statuses = TaskFilter['statuses'];

/** Whether a task has a wanted status. */
export function hasStatus(status: string, wanted: Statuses): boolean {
  return wanted === undefined || wanted.chars.includes(status) !== (wanted.not === true);
}

/**
 * The statuses that a word of the app means: `todo` is a space, `done` is any other character, and
 * a single character is exactly that one. Fails with `invalid_input` for anything else.
 */
export function appStatuses(asked: string | undefined): Statuses {
  if (asked === undefined) return undefined;
  if (asked === 'done') return { chars: [openStatus], not: true };
  return { chars: [asked === 'todo' ? openStatus : oneCharacter(asked)] };
}

/** Fails with `invalid_input` unless a status that is none of the words is a single character. */
function oneCharacter(asked: string): string {
  if (Array.from(asked).length === 1) return asked;
  throw new VaultError(
    'invalid_input',
    'A status is "todo", "done", or the one character between the brackets of a task.',
  );
}
