import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Embedder } from '../../engine/ports/meaning.ts';
import { type LocalModel, type LocalPlace, localModelName } from '../embed/local-model.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

/** How many texts are computed at once: a question has to wait for so many at most. */
const textsAtOnce = 4;

/** A model in a worker of this process. Fails as `localModelName` does. */
export function openThreadEmbedder(place: LocalPlace): Embedder {
  const { entryFile } = place;
  const pool = new ThreadPool<LocalModel>({
    entryFile,
    workerData: { role: 'embed', ...place },
    max: 1,
    idleMs: limits.embedIdleMs,
    timers: nodeTimers,
  });
  return {
    model: localModelName(place),
    close: () => pool.close(),
    embed: async (texts, { signal }) => {
      const vectors: Float32Array[] = [];
      try {
        for (let from = 0; from < texts.length; from += textsAtOnce) {
          const part = texts.slice(from, from + textsAtOnce);
          vectors.push(...(await pool.run(signal, (model) => model.embed(part))));
        }
        return vectors;
      } catch (cause) {
        if (signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
        if (cause instanceof VaultError && cause.code !== 'internal') throw cause;
        throw new VaultError('unavailable', 'The embedding model does not run.', { cause });
      }
    },
  };
}
