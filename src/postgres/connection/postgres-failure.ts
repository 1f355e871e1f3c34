import { VaultError } from '../../base/vault-error.ts';

/** What `fence` of the schema fails with. */
const fencedState = 'VDFNC';

/**
 * Turns an error of PostgreSQL, or of the way to it, into `unavailable`. A statement that PostgreSQL
 * refuses for another reason is a bug of ours and is returned unchanged. Messages of PostgreSQL may
 * have values in them, so they are not repeated.
 */
export function postgresFailure(error: unknown): unknown {
  if (error instanceof VaultError) return error;
  const state = sqlState(error);
  if (state === fencedState) return fenced();
  if (state !== undefined && !/^(08|53|55P03|57|58|40|25006|28|3D000)/.test(state)) return error;
  return new VaultError(
    'unavailable',
    'PostgreSQL does not answer, so the history can neither be read nor written. Try again.',
    { cause: error, details: { retryAfterMs: 1_000, ...(state === undefined ? {} : { state }) } },
  );
}

/** That another node owns the vault by now. */
export function fenced(): VaultError {
  return new VaultError(
    'unavailable',
    'Another machine has taken this vault over in the meantime. Try again.',
    { details: { fenced: true, retryAfterMs: 1_000 } },
  );
}

/** The code of PostgreSQL for an error; undefined when the error is not from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
