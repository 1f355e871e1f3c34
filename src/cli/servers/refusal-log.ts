import type { Logger } from '../../base/logger.ts';
import { oneLine } from '../../base/one-line.ts';
import type { Refusal } from '../../net/http-handler.ts';

/** A kind that was told is not told again for this long; how often it came is told then. */
const quietMs = 60_000;
/** Kinds that are kept apart; words of ours make them, so there are few. */
const kindsMax = 100;
const messageCharsMax = 200;

/**
 * Tells the log who was refused: one line for each kind of refusal, and not one for each request, or
 * whoever knocks often enough fills the disk.
 */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #nowMs: () => number;
  readonly #kinds = new Map<string, { toldMs: number; since: number }>();

  constructor(logger: Logger, nowMs: () => number) {
    this.#logger = logger;
    this.#nowMs = nowMs;
  }

  /**
   * `message` is what the client was told: it has nothing of what it sent but a host's name.
   * `address` is where it came from, if that is known.
   */
  refused({ status, message }: Pick<Refusal, 'status' | 'message'>, address?: string): void {
    // What stands in quotes or brackets, and numbers, differ from one request to the next.
    const kind = `${status} ${message.replace(/"[^"]*"|\([^)]*\)|\d+/g, '')}`;
    const known = this.#kinds.get(kind);
    const nowMs = this.#nowMs();
    if (known !== undefined && nowMs - known.toldMs < quietMs) {
      known.since++;
      return;
    }
    if (known === undefined && this.#kinds.size >= kindsMax) this.#kinds.clear();
    this.#kinds.set(kind, { toldMs: nowMs, since: 0 });
    this.#logger.log('warn', 'refused', {
      status,
      address,
      message: oneLine(message, messageCharsMax),
      more: known?.since || undefined,
    });
  }
}
