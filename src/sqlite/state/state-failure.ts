import { VaultError } from '../../base/vault-error.ts';
import { isBusy, isDamaged, isUnusable } from '../connection/database-error.ts';

/**
 * Turns an error of SQLite, or of the disk under it, into `io_failed` with advice. The history is not
 * a cache, so a damaged file is never deleted: the message tells the user where it is. Any other error
 * is returned unchanged.
 */
export function stateFailure(error: unknown, file: string): unknown {
  if (error instanceof VaultError) return error;
  const failed = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
    new VaultError('io_failed', message, { cause: error, details });
  if (isDamaged(error)) return failed(damagedMessage(file), { damaged: true, file });
  if (isBusy(error)) {
    return failed('Another process keeps the history busy; try again.', { busy: true });
  }
  // Creating the folder fails with an error of the system, which has a `syscall`.
  if (isUnusable(error) || (error instanceof Error && 'syscall' in error)) {
    return failed(
      `The history cannot be read or written; check "${file}" and the space on its disk.`,
    );
  }
  return error;
}

function damagedMessage(file: string): string {
  return `The history of this vault is damaged; move "${file}" (and "${file}-wal") to another place to begin a new one.`;
}
