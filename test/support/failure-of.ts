import { VaultError } from '../../src/base/vault-error.ts';

/** How something fails; an error of the test when it does not, or in another way. */
export async function failureOf(work: Promise<unknown>): Promise<VaultError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof VaultError) return error;
  throw error ?? new Error('It did not fail.');
}
