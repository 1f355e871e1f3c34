import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { FactPart } from '../../ports/records.ts';
import { MissingFacts } from '../values/world.ts';
import type { FactSource } from './fact-source.ts';
import type { LoadedWorld } from './loaded-world.ts';

/** How many rows are evaluated between two looks at the clock. */
const rowsPerTurn = 16;
const fewFiles = 8;

/** Does work that needs facts: where some are missing, it loads them for all and does it again. */
export class Settler {
  readonly #source: FactSource;
  readonly #world: LoadedWorld;
  /** The parts of facts that were missing before: from then on they are loaded with the files. */
  readonly parts = new Set<FactPart>();

  constructor(source: FactSource, world: LoadedWorld) {
    this.#source = source;
    this.#world = world;
  }

  /** Does work once for each item, and again for those whose facts were missing. */
  async each<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
    let left = items;
    for (let round = 0; left.length > 0; round++) {
      if (round > limits.baseRoundsMax) {
        throw new VaultError(
          'invalid_input',
          'The base needs the facts of too many files, one after the other.',
        );
      }
      const missing = new Missing();
      const again: T[] = [];
      for (const [at, item] of left.entries()) {
        if (at % rowsPerTurn === 0) await this.#source.turn();
        try {
          work(item);
        } catch (error) {
          if (!(error instanceof MissingFacts)) throw error;
          missing.add(error);
          again.push(item);
        }
      }
      await this.#load(missing);
      left = again;
    }
  }

  /** Does one piece of work. */
  async one<T>(work: () => T): Promise<T> {
    const results: T[] = [];
    await this.each([work], (each) => {
      results[0] = each();
    });
    return results[0] as T;
  }

  async #load({ paths, parts, names }: Missing): Promise<void> {
    if (names.size > 0) {
      const asked = Array.from(names);
      const found = await this.#source.named(asked);
      for (const name of asked) this.#world.putNamed(name, found.get(name) ?? []);
    }
    // If only a few files lack these facts, such as the note of `this`, the other files do not need them.
    if (paths.size > fewFiles) for (const part of parts) this.parts.add(part);
    const all = Array.from(paths);
    for (let at = 0; at < all.length; at += limits.baseBatchFiles) {
      const asked = all.slice(at, at + limits.baseBatchFiles);
      const files = await this.#source.load(asked, Array.from(parts));
      for (const facts of files) this.#world.put(facts);
      for (const path of asked) this.#world.putNone(path);
    }
  }
}

/** What was missing in one round. */
class Missing {
  readonly paths = new Set<string>();
  readonly parts = new Set<FactPart>();
  readonly names = new Set<string>();

  add({ of, others }: MissingFacts): void {
    for (const other of others) this.add(other);
    if ('name' in of) this.names.add(of.name);
    else {
      this.paths.add(of.path);
      if (of.part !== undefined) this.parts.add(of.part);
    }
  }
}
