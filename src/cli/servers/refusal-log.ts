import type { Logger } from '../../base/logger.ts';
import { oneLine } from '../../base/one-line.ts';
import type { Refusal } from '../../net/http-handler.ts';

/** A kind of refusal is logged at most once in this time, with how many were not logged before. */
const quietMs = 60_000;
/** How many kinds are remembered; their messages are ours, so there are few. */
const kindsMax = 100;
const messageCharsMax = 200;

/**
 * Logs refused requests: one line for each kind of refusal and not for each request, so that nobody
 * can fill the disk by sending many.
 */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #nowMs: () => number;
  readonly #kinds = new Map<string, { loggedMs: number; unlogged: number }>();

  constructor(logger: Logger, nowMs: () => number) {
    this.#logger = logger;
    this.#nowMs = nowMs;
  }

  /**
   * Logs a refusal. `message` is what the client was answered; of what the client sent, it has at most
   * a host name. `address` is the client's, if it is known.
   */
  refused({ status, message }: Pick<Refusal, 'status' | 'message'>, address?: string): void {
    // Text in quotes or brackets and numbers differ between requests of the same kind.
    const kind = `${status} ${message.replace(/"[^"]*"|\([^)]*\)|\d+/g, '')}`;
    const known = this.#kinds.get(kind);
    const nowMs = this.#nowMs();
    if (known !== undefined && nowMs - known.loggedMs < quietMs) {
      known.unlogged++;
      return;
    }
    if (known === undefined && this.#kinds.size >= kindsMax) this.#kinds.clear();
    this.#kinds.set(kind, { loggedMs: nowMs, unlogged: 0 });
    this.#logger.log('warn', 'refused', {
      status,
      address,
      message: oneLine(message, messageCharsMax),
      more: known?.unlogged || undefined,
    });
  }
}
