import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { oneLine, quotedLine } from '../../base/one-line.ts';
import { shellWord } from '../../base/shell-word.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Clock, Timers } from '../../engine/ports/ports.ts';
import type { OwnerNotice, WaitingMatter } from '../../engine/ports/questions.ts';
import { errnoOf } from '../system/disk-error.ts';

/** What the owner is told: how much has come to wait, of whom, and where to answer. */
interface NoticeContent {
  readonly waiting: number;
  readonly questions: number;
  readonly proposals: number;
  /** The client that waits; the first one when there are several. */
  readonly client?: string;
  /** How many other clients wait too. */
  readonly otherClients?: number;
  /** The names of the vaults in which something waits. */
  readonly vaults: readonly string[];
  /** The commands that show what waits. */
  readonly answers: readonly string[];
}

/** A vault as the owner knows it. */
interface NoticedVault {
  readonly name: string;
  /** Its folder, as an absolute path. */
  readonly folder: string;
}

/** A notice for all vaults of a server. */
export interface ServerNotice {
  /** What one vault is given. */
  ofVault(vault: NoticedVault): OwnerNotice;
  /**
   * Waits until the notice that is being sent has arrived. What came after it and would have been told
   * at the end of the minute is left out.
   */
  close(): Promise<void>;
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
  /** For whose shell commands are written. */
  readonly platform: string;
}

/**
 * Tells the owner that something waits: the first time at once, and then at most once a minute, of
 * all that has come since. A way that fails is logged once, until it works again.
 */
export function openOwnerNotice(parts: OwnerNoticeParts): ServerNotice {
  return new TimedNotice(parts);
}

class TimedNotice implements ServerNotice {
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

  ofVault(vault: NoticedVault): OwnerNotice {
    return { waits: (matter) => this.#waits(matter, vault) };
  }

  #waits(matter: WaitingMatter, vault: NoticedVault): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting.add(matter, vault);
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
    const cancel = this.#parts.timers.after(limits.lastNoticeMs, () => this.#ending.abort());
    await Promise.all(this.#sending);
    cancel();
    this.#ending.abort();
  }

  #tell(): void {
    const content = this.#waiting.content(this.#parts.platform);
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
  /** By their folders. */
  readonly #vaults = new Map<string, { name: string; commands: Set<string> }>();

  add({ kind, client }: WaitingMatter, { name: vault, folder }: NoticedVault): void {
    if (kind === 'question') this.#questions += 1;
    else this.#proposals += 1;
    const name = oneLine(client ?? '', limits.clientNameCharsMax);
    if (name !== '' && this.#clients.size < limits.noticeClientsMax) this.#clients.add(name);
    const known = this.#vaults.get(folder) ?? { name: vault, commands: new Set() };
    known.commands.add(kind === 'question' ? 'approvals' : 'proposals');
    this.#vaults.set(folder, known);
  }

  content(platform: string): NoticeContent {
    const [client] = this.#clients;
    const others = this.#clients.size - 1;
    const vaults = Array.from(this.#vaults);
    return {
      waiting: this.#questions + this.#proposals,
      questions: this.#questions,
      proposals: this.#proposals,
      ...(client === undefined ? {} : { client }),
      ...(others > 0 ? { otherClients: others } : {}),
      vaults: vaults.map(([, { name }]) => name),
      answers: vaults.flatMap(([folder, { commands }]) =>
        Array.from(commands)
          .sort()
          .map((command) => `vaultdoor ${command} --vault ${shellWord(folder, platform)}`),
      ),
    };
  }
}

/** The notice as one sentence, and the commands to answer with, each on a line of its own. */
function textOf(content: NoticeContent): string {
  const { questions, proposals, client, otherClients, vaults, answers } = content;
  const what = [
    ...(questions > 0 ? [counted(questions, 'new question')] : []),
    ...(proposals > 0 ? [counted(proposals, 'new proposal')] : []),
  ].join(' and ');
  const others = otherClients === undefined ? '' : ` and ${counted(otherClients, 'other client')}`;
  const whose = client === undefined ? '' : ` of ${client}${others}`;
  const verb = questions + proposals === 1 ? 'waits' : 'wait';
  const where = vaults.map((name) => quotedLine(name, limits.clientNameCharsMax)).join(', ');
  return [`${what}${whose} ${verb} for you in ${where}. Answer with:`, ...answers].join('\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What the log says of a failure: our own words, or the code of the system. */
function reasonOf(error: unknown): string {
  return error instanceof VaultError ? error.message : (errnoOf(error) ?? 'unknown');
}
