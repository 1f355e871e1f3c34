import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';

const minuteMs = 60_000;

/** What one tenant, a token or a vault, has done in the running minute. */
interface Use {
  sinceMs: number;
  running: number;
  calls: number;
  bytes: number;
}

/**
 * Keeps one tenant from slowing the others: limits how many calls of one token, and in one vault, run at
 * once, and how many calls and bytes there are in a minute. Each node counts what comes in through it.
 */
export class TenantLimits {
  readonly #uses = new Map<string, Use>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Begins a call. What it returns is to be called when the call has ended, with the bytes that came in
   * and went out. Fails with `busy` when it is one too many.
   */
  begin(tenant: { readonly token: string; readonly vault: number }): (bytes: number) => void {
    const { vaultTimes } = clusterLimits;
    const counted = [
      { use: this.#useOf(`token ${tenant.token}`), times: 1, of: 'one token' },
      { use: this.#useOf(`vault ${tenant.vault}`), times: vaultTimes, of: 'one vault' },
    ];
    for (const each of counted) this.#check(each);
    for (const { use } of counted) {
      use.running += 1;
      use.calls += 1;
    }
    return (bytes) => {
      for (const { use } of counted) {
        use.running -= 1;
        use.bytes += bytes;
      }
    };
  }

  #check({ use, times, of }: { use: Use; times: number; of: string }): void {
    const { callsPerTokenMax, callsPerMinuteMax, callBytesPerMinuteMax } = clusterLimits;
    if (use.running >= callsPerTokenMax * times) {
      throw busy(`${use.running} calls of ${of} are running`, clusterLimits.retryAfterMs);
    }
    const waitMs = Math.max(1, use.sinceMs + minuteMs - this.#nowMs());
    if (use.calls >= callsPerMinuteMax * times) {
      throw busy(`${of} has made ${use.calls} calls in a minute`, waitMs);
    }
    if (use.bytes >= callBytesPerMinuteMax * times) {
      throw busy(`the calls of ${of} had too many bytes in a minute`, waitMs);
    }
  }

  #useOf(key: string): Use {
    const nowMs = this.#nowMs();
    const found = this.#uses.get(key);
    if (found === undefined) {
      this.#forget(nowMs);
      const use = { sinceMs: nowMs, running: 0, calls: 0, bytes: 0 };
      this.#uses.set(key, use);
      return use;
    }
    if (nowMs - found.sinceMs >= minuteMs) {
      Object.assign(found, { sinceMs: nowMs, calls: 0, bytes: 0 });
    }
    return found;
  }

  /** Forgets tenants that have done nothing for a minute. */
  #forget(nowMs: number): void {
    for (const [key, { running, sinceMs }] of this.#uses) {
      if (running === 0 && nowMs - sinceMs >= minuteMs) this.#uses.delete(key);
    }
  }
}

function busy(why: string, retryAfterMs: number): VaultError {
  return new VaultError('busy', `Too much at once: ${why}. Nothing was changed; try again later.`, {
    details: { retryAfterMs },
  });
}
