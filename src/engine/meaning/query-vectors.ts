import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Embedder } from '../ports/meaning.ts';
import type { Clock } from '../ports/ports.ts';

/** How many vectors of queries are remembered: the next page asks for the same one. */
const queriesKept = 32;

/** The vectors of queries. An embedder that fails is not asked again for a moment. */
export class QueryVectors {
  readonly #embedder: Embedder;
  readonly #clock: Clock;
  readonly #known = new Map<string, Float32Array>();
  #downUntilMs = 0;

  constructor(embedder: Embedder, clock: Clock) {
    this.#embedder = embedder;
    this.#clock = clock;
  }

  /** Fails with `unavailable` when the embedder does. */
  async of(question: string, signal: AbortSignal): Promise<Float32Array> {
    const known = this.#known.get(question);
    if (known !== undefined) return known;
    if (this.#clock.nowMs() < this.#downUntilMs) {
      throw new VaultError('unavailable', 'The embedding endpoint did not answer a moment ago.');
    }
    try {
      const options = { signal, timeMs: limits.embedQueryMs };
      const [vector] = await this.#embedder.embed([question], options);
      if (vector === undefined) throw new VaultError('unavailable', 'There is no vector.');
      if (this.#known.size >= queriesKept) this.#known.clear();
      this.#known.set(question, vector);
      return vector;
    } catch (error) {
      if (!signal.aborted) this.#downUntilMs = this.#clock.nowMs() + limits.embedDownMs;
      throw error;
    }
  }

  /** Forgets all vectors: the model has others now. */
  clear(): void {
    this.#known.clear();
  }
}
