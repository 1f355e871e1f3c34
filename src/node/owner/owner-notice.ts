import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { OwnerNotice, WaitingMatter } from '../../engine/ports/owner-notice.ts';
import type { Clock, Timers } from '../../engine/ports/ports.ts';
import { errnoOf } from '../system/disk-error.ts';

/** What the owner is told: how much waits, for whom, and where to answer. */
interface NoticeContent {
  readonly waiting: number;
  readonly questions: number;
  readonly proposals: number;
  /** The client that waits; the first one when there are several. */
  readonly client?: string;
  /** How many other clients wait too. */
  readonly otherClients?: number;
  /** The command that shows what waits. */
  readonly answer: string;
}

/** Sends a notice. Fails with what to say in the log, which must not have secrets. */
export type SendNotice = (
  notice: { readonly content: NoticeContent; readonly text: string },
  signal: AbortSignal,
) => Promise<void>;

interface OwnerNoticeParts {
  /** Each way on which the owner is told, by the name that the log calls it. */
  readonly ways: readonly { readonly name: string; readonly send: SendNotice }[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** How many names of clients are remembered for one notice. */
const clientsMax = 100;

/**
 * Tells the owner that something waits: the first time at once, and then at most once a minute, of
 * all that has come since. A way that fails is logged once, until it works again.
 */
export function openOwnerNotice(parts: OwnerNoticeParts): OwnerNotice {
  return new TimedNotice(parts);
}

class TimedNotice implements OwnerNotice {
  readonly #parts: OwnerNoticeParts;
  #waiting = new Waiting();
  #lastMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;
  readonly #sending = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  readonly #failing = new Set<string>();

  constructor(parts: OwnerNoticeParts) {
    this.#parts = parts;
  }

  waits(matter: WaitingMatter): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting.add(matter);
    if (this.#cancelTimer !== undefined) return;
    const { clock, timers } = this.#parts;
    const sinceMs = clock.nowMs() - this.#lastMs;
    // A clock that was set back must not keep the owner waiting for longer than a minute.
    const leftMs = sinceMs < 0 ? limits.noticeEveryMs : limits.noticeEveryMs - sinceMs;
    if (leftMs <= 0) {
      this.#tell();
      return;
    }
    this.#cancelTimer = timers.after(leftMs, () => {
      this.#cancelTimer = undefined;
      this.#tell();
    });
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (!this.#waiting.isEmpty) this.#tell();
    const cancel = this.#parts.timers.after(limits.lastNoticeMs, () => this.#ending.abort());
    await Promise.all(this.#sending);
    cancel();
    this.#ending.abort();
  }

  #tell(): void {
    const content = this.#waiting.content();
    const notice = { content, text: textOf(content) };
    this.#waiting = new Waiting();
    this.#lastMs = this.#parts.clock.nowMs();
    for (const { name, send } of this.#parts.ways) {
      const sending = this.#send(name, (signal) => send(notice, signal));
      this.#sending.add(sending);
      void sending.then(() => this.#sending.delete(sending));
    }
  }

  async #send(name: string, send: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { timers, logger } = this.#parts;
    const late = new AbortController();
    const cancel = timers.after(limits.noticeMs, () => late.abort());
    try {
      await send(AbortSignal.any([late.signal, this.#ending.signal]));
      this.#failing.delete(name);
    } catch (error) {
      const reason = late.signal.aborted ? 'no answer in time' : reasonOf(error);
      if (!this.#failing.has(name)) logger.log('warn', 'notice not sent', { way: name, reason });
      this.#failing.add(name);
    } finally {
      cancel();
    }
  }
}

/** What has come to wait since the last notice. */
class Waiting {
  #questions = 0;
  #proposals = 0;
  readonly #clients = new Set<string>();

  get isEmpty(): boolean {
    return this.#questions + this.#proposals === 0;
  }

  add({ kind, client }: WaitingMatter): void {
    if (kind === 'question') this.#questions += 1;
    else this.#proposals += 1;
    const name = oneLine(client ?? '', limits.clientNameCharsMax);
    if (name !== '' && this.#clients.size < clientsMax) this.#clients.add(name);
  }

  content(): NoticeContent {
    const [client] = this.#clients;
    const others = this.#clients.size - 1;
    return {
      waiting: this.#questions + this.#proposals,
      questions: this.#questions,
      proposals: this.#proposals,
      ...(client === undefined ? {} : { client }),
      ...(others > 0 ? { otherClients: others } : {}),
      answer: this.#questions > 0 ? 'vaultdoor approvals' : 'vaultdoor proposals',
    };
  }
}

function textOf({ questions, proposals, client, otherClients, answer }: NoticeContent): string {
  const what = [
    ...(questions > 0 ? [counted(questions, 'question')] : []),
    ...(proposals > 0 ? [counted(proposals, 'proposal')] : []),
  ].join(' and ');
  const others = otherClients === undefined ? '' : ` and ${counted(otherClients, 'other client')}`;
  const whose = client === undefined ? '' : ` of ${client}${others}`;
  const verb = questions + proposals === 1 ? 'waits' : 'wait';
  const also = questions > 0 && proposals > 0 ? ' and "vaultdoor proposals"' : '';
  return `${what}${whose} ${verb} for you. Answer with "${answer}"${also}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What the log says of a failure: our own words, or the code of the system. */
function reasonOf(error: unknown): string {
  return error instanceof VaultError ? error.message : (errnoOf(error) ?? 'unknown');
}
