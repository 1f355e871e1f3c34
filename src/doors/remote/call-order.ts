import { assert } from '../../base/assert.ts';
import { overlap } from './touched-paths.ts';

/** A call as far as its turn goes. */
export interface OrderedCall {
  /**
   * `changing` calls run one after the other as they came, so many `large` ones at once and so many
   * `small` ones, which never wait for those.
   */
  readonly kind: 'changing' | 'large' | 'small';
  /** Where it looks, or what it changes; none where it concerns no other call. */
  readonly paths: readonly string[];
}

/** Reads of one kind that wait for their turn, and those that have it. */
interface Reads<Call> {
  readonly atOnce: number;
  readonly waiting: Call[];
  running: number;
}

/**
 * Who waits for whom among the calls of one connection. Reads run side by side, but one that was sent
 * after a change of the same files, or of a folder around or inside, waits for it and sees it.
 */
export class CallOrder<Call extends OrderedCall> {
  readonly #mayBegin: () => boolean;
  readonly #begin: (call: Call) => void;
  /** All that have not ended, in order; the first of them runs where `#isChanging`. */
  readonly #changing: Call[] = [];
  #isChanging = false;
  readonly #small: Reads<Call>;
  readonly #large: Reads<Call>;
  /** The reads that wait for each change, */
  readonly #followers = new Map<Call, Call[]>();
  /** and for how many changes each of them does. */
  readonly #awaited = new Map<Call, number>();

  constructor(parts: {
    readonly atOnce: { readonly small: number; readonly large: number };
    /** Nothing begins while this says no; `advance` is called when it may have changed. */
    readonly mayBegin: () => boolean;
    readonly begin: (call: Call) => void;
  }) {
    this.#small = { atOnce: parts.atOnce.small, waiting: [], running: 0 };
    this.#large = { atOnce: parts.atOnce.large, waiting: [], running: 0 };
    this.#mayBegin = parts.mayBegin;
    this.#begin = parts.begin;
  }

  /** Begins a call now, or when its turn has come. */
  add(call: Call): void {
    if (call.kind === 'changing') this.#changing.push(call);
    else if (!this.#mustFollow(call)) this.#readsLike(call).waiting.push(call);
    this.advance();
  }

  /** A call that began has ended. */
  ended(call: Call): void {
    if (call.kind === 'changing') {
      const first = this.#changing.shift();
      assert(first === call, 'changes end in order');
      this.#isChanging = false;
      this.#letFollow(call);
    } else {
      this.#readsLike(call).running -= 1;
    }
    this.advance();
  }

  /** Begins whatever may. */
  advance(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#begin(next);
  }

  /** Forgets all that have not begun; the answer is how many. */
  clear(): number {
    const changing = this.#changing.splice(this.#isChanging ? 1 : 0).length;
    const reads = [this.#small, this.#large].map(({ waiting }) => waiting.splice(0).length);
    const followers = this.#awaited.size;
    this.#awaited.clear();
    this.#followers.clear();
    return reads.reduce((sum, count) => sum + count, changing + followers);
  }

  /** The next call that begins; from here on it counts as begun. */
  #next(): Call | undefined {
    if (!this.#mayBegin()) return undefined;
    const [change] = this.#changing;
    if (change !== undefined && !this.#isChanging) {
      this.#isChanging = true;
      return change;
    }
    return nextOf(this.#small) ?? nextOf(this.#large);
  }

  #mustFollow(call: Call): boolean {
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

  #letFollow(change: Call): void {
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
