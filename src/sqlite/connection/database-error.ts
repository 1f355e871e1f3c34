import { VaultError } from '../../base/vault-error.ts';

// Primary result codes of SQLite; extended ones carry them in their low byte.
const busy = 5;
const locked = 6;
const readOnly = 8;
const ioError = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;
// An extended code (10 | 2 << 8): the file ends too early, so it is damaged.
const ioErrorShortRead = 522;

/** Whether the database file itself is damaged, so that it can only be replaced. */
export function isDamaged(error: unknown): boolean {
  if (error instanceof VaultError) return error.details['damaged'] === true;
  const code = sqliteCodeOf(error);
  if (code === undefined) return false;
  const primary = code & 0xff;
  return primary === corrupt || primary === notADatabase || code === ioErrorShortRead;
}

/** Whether another connection holds the lock that this call needed. */
export function isBusy(error: unknown): boolean {
  if (error instanceof VaultError) return error.details['busy'] === true;
  const primary = (sqliteCodeOf(error) ?? 0) & 0xff;
  return primary === busy || primary === locked;
}

/**
 * Whether the file cannot be opened, read or written: no space, no permission, or a failing disk. Ask
 * `isDamaged` first: a file that ends too early is both.
 */
export function isUnusable(error: unknown): boolean {
  const primary = (sqliteCodeOf(error) ?? 0) & 0xff;
  return [readOnly, ioError, full, cannotOpen].includes(primary);
}

function sqliteCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode;
  // The library for Node 20 gives no number when it fails between the rows of a query.
  return error.message === 'database disk image is malformed' ? corrupt : undefined;
}
