import { VaultError } from '../../../base/vault-error.ts';
import type { Draft } from '../../vault/draft.ts';

/** One operation of a batch, and the label that names it in failures, such as `Line 3`. */
export interface BatchStep {
  readonly label: string;
  readonly plan: (draft: Draft) => Promise<object>;
}

/**
 * Runs operations one after the other as a single change; each sees what the ones before it did.
 * When one fails, the batch ends, nothing is changed, and the failure says which operation it was.
 */
export async function runBatch(
  draft: Draft,
  { steps }: { readonly steps: readonly BatchStep[] },
): Promise<{ results: readonly object[] }> {
  const results: object[] = [];
  for (const { label, plan } of steps) {
    try {
      results.push(await plan(draft));
    } catch (error) {
      throw labelledFailure(label, error);
    }
  }
  return { results };
}

/**
 * Puts the label of a batch step before the message of a failure. Returns any other error as it is.
 */
export function labelledFailure(label: string, error: unknown): unknown {
  if (!(error instanceof VaultError)) return error;
  return new VaultError(error.code, `${label}: ${error.message}`, {
    cause: error,
    details: error.details,
  });
}
