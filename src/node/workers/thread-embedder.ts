import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Embedder } from '../../engine/ports/meaning.ts';
import { type LocalModel, type LocalPlace, localModelName } from '../embed/local-model.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

/** How many texts are computed at once: a question has to wait for so many at most. */
const textsAtOnce = 4;

/**
 * A model in a worker of this process. Who does not want to wait longer leaves the worker alone, which
 * may be loading the model still; it is ended when it has worked on a few texts for `hungMs`. Fails as
 * `localModelName` does.
 */
export function openThreadEmbedder(
  place: LocalPlace,
  hungMs: number = limits.embedBatchMs,
): Embedder {
  const { entryFile } = place;
  const pool = new ThreadPool<LocalModel>({
    entryFile,
    workerData: { role: 'embed', ...place },
    max: 1,
    idleMs: limits.embedIdleMs,
    timers: nodeTimers,
  });
  const compute = async (texts: readonly string[], signal: AbortSignal, late: AbortSignal) => {
    const over = new AbortController();
    const end = (): void => over.abort();
    let stop = (): void => {};
    signal.addEventListener('abort', end, { once: true });
    try {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += textsAtOnce) {
        const part = texts.slice(from, from + textsAtOnce);
        const embed = (model: LocalModel) => {
          if (late.aborted) throw tooLate(); // Nobody waits for it any more.
          stop = nodeTimers.after(hungMs, end);
          return model.embed(part);
        };
        vectors.push(...(await pool.run(over.signal, embed)));
        stop();
      }
      return vectors;
    } catch (error) {
      throw over.signal.aborted ? tooLate() : error;
    } finally {
      stop();
      signal.removeEventListener('abort', end);
    }
  };
  return {
    model: localModelName(place),
    close: () => pool.close(),
    embed: async (texts, { signal, timeMs }) => {
      const late = new AbortController();
      const waited = new Promise<never>((_, reject) => {
        late.signal.addEventListener('abort', () => reject(tooLate()), { once: true });
      });
      const stop = nodeTimers.after(timeMs, () => late.abort());
      try {
        signal.throwIfAborted();
        return await Promise.race([compute(texts, signal, late.signal), waited]);
      } catch (cause) {
        if (signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
        if (cause instanceof VaultError && cause.code !== 'internal') throw cause;
        throw new VaultError('unavailable', 'The embedding model does not run.', { cause });
      } finally {
        stop();
      }
    },
  };
}

function tooLate(): VaultError {
  return new VaultError('unavailable', 'The embedding model did not answer in time.');
}
