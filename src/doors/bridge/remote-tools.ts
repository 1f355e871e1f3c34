import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, type VaultError } from '../../base/vault-error.ts';
import type { ListedTool } from '../../tools/service/service.ts';
import { readTools, toolsIn } from './bridge-answers.ts';
import type { BridgeWire } from './bridge-wire.ts';

/** Keeps the last list of tools between runs. If that fails, it is only logged. */
export interface KeptText {
  /** Undefined when nothing is kept. */
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}

interface RemoteToolsParts {
  readonly wire: BridgeWire;
  readonly logger: Logger;
  readonly timers: { after(ms: number, call: () => void): () => void };
  readonly pollMs: number;
  readonly kept?: KeptText;
}

/**
 * The tools of a Bridge v1 server as they were last seen. They are kept up to date through the
 * server's event stream, or, if it has none, by asking every `pollMs`. Only one request for the
 * list runs at a time.
 */
export class RemoteTools {
  readonly #parts: RemoteToolsParts;
  readonly #listeners = new Set<() => void>();
  readonly #loaded: Promise<void>;
  #tools: readonly ListedTool[] | undefined;
  #etag: string | undefined;
  /** Why the last request for the list failed; undefined when it did not. */
  #trouble: VaultError | undefined;
  /** The last request for the list, and the one that follows it, if one was asked for meanwhile. */
  #asking: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #cancelTick: (() => void) | undefined;
  /** Whether to ask for the event stream: a server without one is asked again after it was away. */
  #mayFollow = true;
  #following: 'no' | 'asking' | 'yes' = 'no';
  #wasListed = false;
  #isClosed = false;
  #setKnown: () => void = () => undefined;
  /** Resolves when there is a list, or the server refused to give one. */
  readonly #known = new Promise<void>((resolve) => {
    this.#setKnown = resolve;
  });

  constructor(parts: RemoteToolsParts) {
    this.#parts = parts;
    this.#loaded = this.#load();
    void this.#loaded.then(() => this.#tick());
  }

  /** The tools as last seen. Listeners are called only after this has been called once. */
  list(): readonly ListedTool[] {
    this.#wasListed = true;
    return this.#tools ?? [];
  }

  /** Whether the server answered the last request for the list. */
  get isCertain(): boolean {
    return this.#trouble === undefined;
  }

  has(name: string): boolean {
    return this.#tools?.some((tool) => tool.name === name) === true;
  }

  /** Resolves when there is a list, or the server refused to give one, or after a short while. */
  async known(): Promise<void> {
    await this.#loaded;
    if (this.#tools !== undefined) return;
    let cancel: () => void = () => undefined;
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#parts.timers.after(limits.bridgeFirstListMs, resolve);
    });
    await Promise.race([this.#known, timeout]);
    cancel();
  }

  /** Asks the server for its tools. Never rejects; `isCertain` says whether it succeeded. */
  refresh(): Promise<void> {
    // A request that already runs may bring a list from before the change, so another one follows.
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined;
      this.#asking = this.#ask();
      return this.#asking;
    });
    return this.#next;
  }

  /** Calls back when the list changes; the returned function ends that. */
  onChanged(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTick?.();
    this.#setKnown();
  }

  async #load(): Promise<void> {
    try {
      const text = await this.#parts.kept?.load();
      this.#tools = text === undefined ? undefined : toolsIn(JSON.parse(text));
    } catch {
      this.#parts.logger.log('debug', 'kept tools unreadable');
    }
  }

  async #ask(): Promise<void> {
    const { wire } = this.#parts;
    try {
      const answer = await wire.request({
        path: '/tools',
        headers: this.#etag === undefined ? {} : { 'if-none-match': this.#etag },
        deadlineMs: limits.bridgeListMs,
      });
      if (answer.status !== 304 || this.#etag === undefined) {
        const tools = readTools(answer, wire);
        this.#etag = answer.headers.etag;
        this.#take(tools);
      }
      this.#noteOutcome(undefined);
    } catch (error) {
      this.#noteOutcome(toVaultError(error));
    }
  }

  #take(tools: readonly ListedTool[]): void {
    const text = JSON.stringify(tools);
    if (text === JSON.stringify(this.#tools)) return;
    this.#tools = tools;
    const { logger, kept } = this.#parts;
    logger.log('info', 'tools', { count: tools.length });
    kept?.save(text).catch(() => logger.log('debug', 'tools not kept'));
    this.#setKnown();
    if (this.#wasListed) for (const tell of [...this.#listeners]) tell();
  }

  /** Notes how a request for the list went, and logs when that has changed. */
  #noteOutcome(trouble: VaultError | undefined): void {
    if (this.#isClosed) return;
    const { logger, wire } = this.#parts;
    const before = this.#trouble;
    this.#trouble = trouble;
    if (trouble?.message !== before?.message) {
      if (trouble === undefined) logger.log('info', 'server back', { url: wire.url });
      else logger.log('warn', 'server away', { url: wire.url, why: trouble.message });
    }
    if (trouble !== undefined) this.#mayFollow = true;
    if (trouble?.code === 'forbidden') this.#setKnown();
    // Polling had stopped; or it was asked because of an event, and the next time is far off.
    else if (before?.code === 'forbidden' || trouble !== undefined) this.#tickLater();
  }

  /** Asks for the list unless the event stream is open, opens that stream, and repeats later. */
  async #tick(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#following !== 'yes' || !this.isCertain) await this.refresh();
    if (this.#mayFollow && this.isCertain && this.#following === 'no') void this.#follow();
    // After a refusal of our key, polling stops; the next call tries again.
    if (this.#trouble?.code !== 'forbidden') this.#tickLater();
  }

  #tickLater({ isAway = !this.isCertain } = {}): void {
    if (this.#isClosed) return;
    const { pollMs, timers } = this.#parts;
    const soon = isAway ? Math.min(pollMs, limits.bridgeAwayPollMs) : pollMs;
    this.#cancelTick?.();
    this.#cancelTick = timers.after(soon, () => void this.#tick());
  }

  /** Follows the server's event stream, and asks for the list whenever an event comes. */
  async #follow(): Promise<void> {
    this.#mayFollow = false;
    this.#following = 'asking';
    try {
      const how = await this.#parts.wire.follow('/tools/events', {
        onOpen: () => {
          this.#following = 'yes';
        },
        onEvent: () => void this.refresh(),
      });
      this.#mayFollow = how === 'ended';
    } catch {
      this.#mayFollow = true;
    }
    this.#following = 'no';
    // A server that ends the stream has probably stopped.
    if (this.#mayFollow && this.isCertain) this.#tickLater({ isAway: true });
  }
}
