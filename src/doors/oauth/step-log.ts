import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';

type Values = NonNullable<Parameters<Logger['log']>[2]>;

/**
 * Logs the steps of signing in, one line for each. Strangers can take steps as well, so of each kind
 * only `limits.stepLinesMax` lines are written in `limits.stepLinesMs`: nobody fills the disk by sending
 * many requests. The first line after that says how many were left out.
 */
export class StepLog {
  readonly #logger: Logger;
  readonly #nowMs: () => number;
  /** There are as many kinds as there are answers of ours. */
  readonly #kinds = new Map<string, { sinceMs: number; lines: number; unlogged: number }>();

  constructor({ logger, nowMs }: { readonly logger: Logger; readonly nowMs: () => number }) {
    this.#logger = logger;
    this.#nowMs = nowMs;
  }

  /** Logs a line. `kind` has nothing of what was sent. */
  log(kind: string, level: 'info' | 'error', event: string, values: Values): void {
    const nowMs = this.#nowMs();
    const known = this.#kinds.get(kind);
    const agoMs = known === undefined ? undefined : nowMs - known.sinceMs;
    // A clock that was set back begins anew as well.
    const isOver = agoMs === undefined || agoMs < 0 || agoMs >= limits.stepLinesMs;
    if (known !== undefined && !isOver && known.lines >= limits.stepLinesMax) {
      known.unlogged += 1;
      return;
    }
    const [sinceMs, lines] =
      isOver || known === undefined ? [nowMs, 0] : [known.sinceMs, known.lines];
    this.#kinds.set(kind, { sinceMs, lines: lines + 1, unlogged: 0 });
    this.#logger.log(level, event, { ...values, more: known?.unlogged || undefined });
  }
}
