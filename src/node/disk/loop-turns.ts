import { setImmediate } from 'node:timers/promises';

/**
 * How often the event loop turns between two pieces of work. Many times, because a small call needs
 * several turns from its connection to its answer, and Node accepts only one new connection in each.
 */
const turnsBetween = 64;

/**
 * Lets pieces of work begin one after the other, with turns of the event loop in between. Large reads
 * begin like this: what follows each of them (decoding, writing it as JSON, sending it) takes many
 * milliseconds, and small calls of others are answered in between.
 */
export class LoopTurns {
  #free: Promise<void> = Promise.resolve();

  /** Resolves when the next piece of work may begin, in the order of the calls. */
  next(): Promise<void> {
    const turn = this.#free;
    this.#free = turn.then(pass);
    return turn;
  }
}

async function pass(): Promise<void> {
  for (let turn = 0; turn < turnsBetween; turn++) await setImmediate();
}
