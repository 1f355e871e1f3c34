import { VaultError } from '../../base/vault-error.ts';

/** The character of an open task, and the one that the app writes for a done one. */
export const openStatus = ' ';
export const doneStatus = 'x';

/**
 * Whether a task's character is what was asked for: `todo` is a space, `done` any other character,
 * as the app has it (H04); one character is exactly that one.
 */
export function hasStatus(status: string, asked: string | undefined): boolean {
  switch (asked) {
    case undefined:
      return true;
    case 'todo':
      return status === openStatus;
    case 'done':
      return status !== openStatus;
    default:
      return status === asked;
  }
}

/** Fails with `invalid_input` unless it is `todo`, `done` or one character. */
export function checkStatus(asked: string | undefined): void {
  if (asked === undefined || asked === 'todo' || asked === 'done') return;
  if (Array.from(asked).length === 1) return;
  throw new VaultError(
    'invalid_input',
    'A status is "todo", "done", or the one character between the brackets of a task.',
  );
}
