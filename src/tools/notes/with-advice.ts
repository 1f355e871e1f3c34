import type { VaultErrorCode } from '../../base/vault-error.ts';
import { VaultError } from '../../base/vault-error.ts';

/** Runs, and adds to a failure what to do about it with the tools of this toolset. */
export async function withAdvice<T>(
  advice: Partial<Readonly<Record<VaultErrorCode, string>>>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const more = error instanceof VaultError ? advice[error.code] : undefined;
    if (!(error instanceof VaultError) || more === undefined) throw error;
    const { code, message, details, excerpt } = error;
    throw new VaultError(code, `${message} ${more}`, {
      cause: error,
      details,
      ...(excerpt === undefined ? {} : { excerpt }),
    });
  }
}
