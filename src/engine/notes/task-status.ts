import { VaultError } from '../../base/vault-error.ts';

/** The character of an open task. */
export const openStatus = ' ';
/** The character that the app writes for a done task. */
export const doneStatus = 'x';

/**
 * Whether a task has the requested status: `todo` is a space, `done` is any other character, as in
 * the app, and a single character is exactly that one. Without a requested status every task
 * counts.
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

/** Fails with `invalid_input` unless the status is absent, `todo`, `done` or a single character. */
export function checkStatus(asked: string | undefined): void {
  if (asked === undefined || asked === 'todo' || asked === 'done') return;
  if (Array.from(asked).length === 1) return;
  throw new VaultError(
    'invalid_input',
    'A status is "todo", "done", or the one character between the brackets of a task.',
  );
}
