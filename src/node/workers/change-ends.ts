import type { FinishedChange } from '../../engine/ports/vault-state.ts';

/** A call that waits to be sent. `done` settles like the message that it is sent with. */
interface WaitingCall<Args extends readonly unknown[] = []> {
  readonly args: Args;
  readonly done: Promise<void>;
  readonly settle: (outcome: Promise<void>) => void;
}

/**
 * For `openThreadState`: collects the calls that end a change. Finishing a change and releasing the lock follow each other
 * immediately, so both are done together at the end of this turn of the event loop.
 */
export class ChangeEnds {
  readonly #end: EndChange;
  readonly #isInOrder: boolean;
  #finishes: WaitingCall<FinishedChange>[] = [];
  #release: WaitingCall | undefined;
  /** Resolves when everything that was sent is done. */
  #sent: Promise<unknown> = Promise.resolve();

  /** `isInOrder` says that calls are done in the order in which they are sent. */
  constructor(end: EndChange, { isInOrder }: { readonly isInOrder: boolean }) {
    this.#end = end;
    this.#isInOrder = isInOrder;
  }

  /** Changes that are finished in one turn of the event loop were begun together. */
  finish(...args: FinishedChange): Promise<void> {
    const call = this.#wait(args);
    this.#finishes.push(call);
    return call.done;
  }

  release(): Promise<void> {
    this.#release ??= this.#wait([]);
    return this.#release.done;
  }

  /** Sends the waiting calls now, and answers when they are done. Others must not overtake them. */
  send(): Promise<unknown> {
    const [finishes, release] = [this.#finishes, this.#release];
    this.#finishes = [];
    this.#release = undefined;
    if (finishes.length === 0 && release === undefined) return this.#sent;
    const finished = finishes.map(({ args }) => args);
    const end = (): Promise<void> => this.#end(finished, release !== undefined);
    const outcome = this.#isInOrder ? end() : this.#sent.then(end);
    for (const finish of finishes) finish.settle(outcome);
    release?.settle(outcome);
    this.#sent = Promise.allSettled([this.#sent, outcome]);
    return this.#sent;
  }

  #wait<Args extends readonly unknown[]>(args: Args): WaitingCall<Args> {
    setImmediate(() => void this.send());
    let settle: (outcome: Promise<void>) => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      settle = resolve;
    });
    return { args, done, settle };
  }
}

/** Finishes changes, releases the lock, or both; the lock is released whatever happens. */
type EndChange = (finished: readonly FinishedChange[], isReleased: boolean) => Promise<void>;
