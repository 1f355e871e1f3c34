import { VaultError } from '../../../base/vault-error.ts';
import type { Draft } from '../../vault/draft.ts';

/** One operation of a batch, with its request, and what it is called in failures: `Line 3`. */
export interface BatchStep {
  readonly label: string;
  readonly plan: (draft: Draft) => Promise<object>;
}

/**
 * Runs operations one after the other as one change; each sees what those before it did. The first
 * that fails ends the batch, nothing has happened, and the failure says which one it was.
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

/** A failure with the name of the part of a batch that it comes from. What is no failure passes. */
export function labelledFailure(label: string, error: unknown): unknown {
  if (!(error instanceof VaultError)) return error;
  return new VaultError(error.code, `${label}: ${error.message}`, {
    cause: error,
    details: error.details,
  });
}
