import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Embedder } from '../ports/meaning.ts';

/** A model that refuses this refuses everything. */
const harmlessText = 'A short text.';

/** Fails with `unavailable` when the model refuses every text, not only the one that it has refused. */
export async function checkModel(
  embedder: Embedder,
  refusal: VaultError,
  signal: AbortSignal,
): Promise<void> {
  try {
    await embedder.embed([harmlessText], { signal, timeMs: limits.embedBatchMs });
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== 'too_large') throw error;
    const message = `The embedding model refuses every text: look at its name. ${refusal.message}`;
    throw new VaultError('unavailable', message, { cause: error });
  }
}
