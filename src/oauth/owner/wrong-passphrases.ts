import { limits } from '../../base/limits.ts';

/**
 * Counts wrong passphrases. Behind a proxy everyone comes from one address, so addresses are not
 * looked at: browsers in which the owner has signed in before have a count of their own, and all
 * others share one. So strangers who guess cannot lock the owner out of a browser that is known.
 */
export class WrongPassphrases {
  readonly #nowMs: () => number;
  readonly #known = new Map<string, readonly number[]>();
  #others: readonly number[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Counts an attempt as wrong from its start, so that attempts at the same moment are limited as
   * well; `forget` takes it back. Answers how long to wait when there were too many already.
   * `device` is the id of a browser that is known.
   */
  begin(device?: string): { readonly forget: () => void } | { readonly waitMs: number } {
    const nowMs = this.#nowMs();
    const [max, spanMs] =
      device === undefined
        ? [limits.wrongFromOthersMax, limits.wrongFromOthersMs]
        : [limits.wrongFromKnownMax, limits.wrongFromKnownMs];
    // Times in the future are of a clock that was set back; they must not lock anyone out for long.
    const times = this.#timesOf(device).filter((ms) => ms <= nowMs && nowMs - ms < spanMs);
    const [first] = times.slice(-max);
    if (times.length >= max && first !== undefined) return { waitMs: first + spanMs - nowMs };
    this.#keep(device, [...times, nowMs]);
    return {
      forget: () => {
        const kept = this.#timesOf(device);
        const at = kept.indexOf(nowMs);
        if (at >= 0) this.#keep(device, kept.toSpliced(at, 1));
      },
    };
  }

  #timesOf(device: string | undefined): readonly number[] {
    return device === undefined ? this.#others : (this.#known.get(device) ?? []);
  }

  #keep(device: string | undefined, times: readonly number[]): void {
    if (device === undefined) {
      this.#others = times;
      return;
    }
    this.#known.delete(device); // The browser that was seen last is the last of the map.
    if (times.length > 0) this.#known.set(device, times);
    const [oldest] = this.#known.keys();
    if (this.#known.size > limits.devicesMax && oldest !== undefined) this.#known.delete(oldest);
  }
}
