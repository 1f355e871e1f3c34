import { assert } from '../../base/assert.ts';
import { overlap } from './call-params.ts';

/** What the order of calls depends on. */
export interface OrderedCall {
  /**
   * `changing` calls run one after the other, in the order in which they came. Reads are `large` or
   * `small`: of each kind, a limited number run side by side, and small ones never wait for large
   * ones.
   */
  readonly kind: 'changing' | 'large' | 'small';
  /** The paths that the call reads or changes; empty when it does not affect any other call. */
  readonly paths: readonly string[];
}

/** The reads of one kind: those that wait, and how many run. */
interface Reads<Call> {
  readonly atOnce: number;
  readonly waiting: Call[];
  running: number;
}

/**
 * Decides when each call of a connection begins. Reads run side by side, but a read that was sent
 * after a change of the same path, or of a path above or below it, waits for the change and sees
 * its result.
 */
export class CallOrder<Call extends OrderedCall> {
  readonly #mayBegin: () => boolean;
  readonly #begin: (call: Call) => void;
  /** The changing calls that have not ended, in order; the first one runs if `#isChanging`. */
  readonly #changing: Call[] = [];
  #isChanging = false;
  readonly #small: Reads<Call>;
  readonly #large: Reads<Call>;
  /** For each changing call, the reads that wait for it. */
  readonly #followers = new Map<Call, Call[]>();
  /** How many changing calls each of those reads still waits for. */
  readonly #awaited = new Map<Call, number>();

  constructor(parts: {
    readonly atOnce: { readonly small: number; readonly large: number };
    /** No call begins while this is false; `advance` is called when it may have become true. */
    readonly mayBegin: () => boolean;
    readonly begin: (call: Call) => void;
  }) {
    this.#small = { atOnce: parts.atOnce.small, waiting: [], running: 0 };
    this.#large = { atOnce: parts.atOnce.large, waiting: [], running: 0 };
    this.#mayBegin = parts.mayBegin;
    this.#begin = parts.begin;
  }

  /** Begins a call, now or when it may run. */
  add(call: Call): void {
    if (call.kind === 'changing') this.#changing.push(call);
    else if (!this.#waitForChanges(call)) this.#readsLike(call).waiting.push(call);
    this.advance();
  }

  /** Must be called when a call has ended. */
  ended(call: Call): void {
    if (call.kind === 'changing') {
      const first = this.#changing.shift();
      assert(first === call, 'changes end in order');
      this.#isChanging = false;
      this.#releaseFollowers(call);
    } else {
      this.#readsLike(call).running -= 1;
    }
    this.advance();
  }

  /** Begins all calls that may run now. */
  advance(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#begin(next);
  }

  /** Forgets all calls that have not begun, and answers how many they were. */
  clear(): number {
    const changing = this.#changing.splice(this.#isChanging ? 1 : 0).length;
    const reads = [this.#small, this.#large].map(({ waiting }) => waiting.splice(0).length);
    const followers = this.#awaited.size;
    this.#awaited.clear();
    this.#followers.clear();
    return reads.reduce((sum, count) => sum + count, changing + followers);
  }

  /** The next call that may run, which then counts as begun; undefined when there is none. */
  #next(): Call | undefined {
    if (!this.#mayBegin()) return undefined;
    const [change] = this.#changing;
    if (change !== undefined && !this.#isChanging) {
      this.#isChanging = true;
      return change;
    }
    return nextOf(this.#small) ?? nextOf(this.#large);
  }

  /** Makes a read wait for the earlier changes of its paths; false when there are none. */
  #waitForChanges(call: Call): boolean {
    const before = this.#changing.filter(({ paths }) => overlap(call.paths, paths));
    if (before.length === 0) return false;
    this.#awaited.set(call, before.length);
    for (const change of before) {
      const followers = this.#followers.get(change);
      if (followers === undefined) this.#followers.set(change, [call]);
      else followers.push(call);
    }
    return true;
  }

  /** Lets the reads that waited only for this change begin. */
  #releaseFollowers(change: Call): void {
    const followers = this.#followers.get(change) ?? [];
    this.#followers.delete(change);
    for (const call of followers) {
      const left = (this.#awaited.get(call) ?? 0) - 1;
      if (left > 0) {
        this.#awaited.set(call, left);
      } else {
        this.#awaited.delete(call);
        this.#readsLike(call).waiting.push(call);
      }
    }
  }

  #readsLike({ kind }: Call): Reads<Call> {
    return kind === 'large' ? this.#large : this.#small;
  }
}

function nextOf<Call>(reads: Reads<Call>): Call | undefined {
  if (reads.waiting.length === 0 || reads.running >= reads.atOnce) return undefined;
  reads.running += 1;
  return reads.waiting.shift();
}
