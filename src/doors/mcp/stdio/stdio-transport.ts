import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';
import { limits } from '../../../base/limits.ts';
import { decisionIn, noDecision } from '../server/ask-client.ts';
import { restoreErrorCode } from '../server/mcp-errors.ts';
import { isModern, type Refusal, readMessage } from '../server/read-message.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import { PendingRequests } from './pending-requests.ts';

/** What the 2025 era asks for only after its handshake. */
const needsInitialize = /^(tools|resources|prompts|completion)\//;

/** What is answered before anything is known of a vault. */
const needsNoVault: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/templates/list',
]);

type Params = Readonly<Record<string, unknown>>;

/**
 * JSON-RPC on two streams, one message per line. Unlike the SDK's own transport it answers what it
 * cannot read, has a limit for lines and for requests under way, and does not end a connection
 * whose input has ended: whoever owns it waits until it is `drained`, then closes it.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /**
   * A client of 2026-07-28 listens to these resources from now on, under this id; none ends it. It
   * is told so when this has resolved, and of no change before.
   */
  onlisten?: (id: RequestId, uris: readonly string[]) => Promise<void>;
  /** Called once: something is asked that may need a vault, or the first answer is out. */
  onneeded?: (() => void) | undefined;

  /** Resolves when nothing more is read: the input ended, an exit was asked for, or all broke. */
  readonly finished: Promise<void>;
  #finish: () => void = () => undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineSplitter(limits.messageBytesMax);
  readonly #pending = new PendingRequests();
  /** The ids of what the client is asked, by us. */
  readonly #asked = new Set<RequestId>();
  readonly #listening = new Set<RequestId>();
  /** Those who listen and are yet to be told so. */
  #acknowledging: Promise<unknown> | undefined;
  #initialized = false;
  #isGreeted: boolean;
  /** The SDK's own answer to a client that has been greeted is awaited, and not sent again. */
  #greeted: { readonly id: RequestId; readonly answered: () => void } | undefined;
  #legacy = false;
  #reading = true;
  #broken = false;
  /** How to give up each line that the system has not taken yet. */
  readonly #unwritten = new Set<() => void>();
  /** The updates among them: one that the client has yet to read need not be told twice. */
  readonly #unwrittenUpdates = new Set<string>();

  /** With `isGreeted`, the first line is an "initialize" whose answer is out already. */
  constructor(streams: {
    readonly input: Readable;
    readonly output: Writable;
    readonly isGreeted?: boolean;
  }) {
    this.#input = streams.input;
    this.#output = streams.output;
    this.#isGreeted = streams.isGreeted === true;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async start(): Promise<void> {
    this.#output.on('error', () => this.abandon()); // Whoever read our answers has gone.
    this.#read().then(
      () => this.stop(),
      () => this.stop(), // An input that breaks has ended.
    );
  }

  /** Called by the SDK when the handshake of the 2025 era is made. */
  setProtocolVersion(): void {
    this.#legacy = true;
  }

  /** Stops reading; what is under way goes on. */
  stop(): void {
    if (!this.#reading) return;
    this.#reading = false;
    this.#input.destroy();
    for (const id of this.#asked) this.#answerForClient(id);
    this.#finish();
  }

  /** Waits until every request is answered and every answer is written; false after this time. */
  async drained(waitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), waitMs);
    });
    const done = this.#pending.fewerThan(1).then(() => true);
    return Promise.race([done, late]).finally(() => clearTimeout(timer));
  }

  /** Nobody reads what we write: from here on it counts as written. */
  abandon(): void {
    this.#broken = true;
    this.#pending.clear();
    for (const giveUp of [...this.#unwritten]) giveUp();
    this.stop();
  }

  async close(): Promise<void> {
    this.stop();
    this.onclose?.();
  }

  /** Writes one message in one piece; resolves when it is handed to the system. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) {
      if ('id' in message) this.#ask(message.id);
      else this.#notified(message.method, message.params);
      const { method } = message;
      if (method === 'notifications/subscriptions/acknowledged') await this.#acknowledge(message);
      else if (method === 'notifications/resources/updated') await this.#writeUpdate(message);
      else if (!this.#isMissable(method)) await this.#write(message);
    } else {
      if (message.id !== undefined && message.id === this.#greeted?.id) this.#greeted.answered();
      else await this.#write(this.#legacy ? restoreErrorCode(message) : message);
      if (message.id !== undefined) this.#pending.settle(message.id);
      if (this.#reading) this.#needed();
    }
  }

  /** Resolves when the client has read what it was sent, as far as the system tells. */
  async caughtUp(): Promise<void> {
    while (this.#output.writableNeedDrain && !this.#broken) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#unwritten.delete(done);
          this.#output.off('drain', done);
          resolve();
        };
        this.#unwritten.add(done);
        this.#output.on('drain', done);
      });
    }
  }

  async #read(): Promise<void> {
    for await (const chunk of this.#input) {
      for (const line of this.#lines.push(Buffer.from(chunk))) {
        await this.#take(line);
        if (!this.#reading) return;
      }
    }
    for (const line of this.#lines.end()) await this.#take(line);
  }

  async #take(line: Line): Promise<void> {
    if (line.kind === 'overlong') {
      const message = `The line is longer than ${limits.messageBytesMax} bytes; send less at once.`;
      return this.#refuse({ id: null, code: ProtocolErrorCode.InvalidRequest, message });
    }
    if (isBlank(line.bytes)) return;
    const read = readMessage(line.bytes);
    const isGreeted = this.#isGreeted;
    this.#isGreeted = false; // It is the first line that was answered, and no other.
    if (!read.ok) return this.#refuse(read.refusal);
    const { message } = read;
    if ('method' in message && 'id' in message) {
      const { id, method } = message;
      if (method === 'initialize') this.#initialized = true;
      if (!this.#initialized && needsInitialize.test(method) && !isModern(message)) {
        return this.#refuse({ id, code: ProtocolErrorCode.InvalidRequest, message: tooEarly });
      }
      await this.#pending.fewerThan(limits.requestsAtOnceMax);
      this.#pending.add(id);
      if (!needsNoVault.has(method)) this.#needed();
      if (isGreeted) return this.#passGreeted(message, id);
    } else if ('method' in message) {
      if (message.method === 'exit' || message.method === 'notifications/exit') return this.stop();
      if (message.method === 'notifications/cancelled') {
        this.#cancelled(message.params?.['requestId']);
      }
    } else if (message.id !== undefined && this.#asked.delete(message.id)) {
      this.onmessage?.(decisionIn(message, message.id));
      return;
    }
    this.onmessage?.(message);
  }

  /** Hands on what has been answered, and nothing more until the SDK has answered it too. */
  #passGreeted(message: JSONRPCMessage, id: RequestId): Promise<void> {
    return new Promise((resolve) => {
      const answered = (): void => {
        this.#greeted = undefined;
        resolve();
      };
      this.#greeted = { id, answered };
      this.onmessage?.(message);
    });
  }

  #needed(): void {
    const tell = this.onneeded;
    this.onneeded = undefined;
    tell?.();
  }

  /** A cancelled request is not answered. */
  #cancelled(id: unknown): void {
    if (!isId(id)) return;
    this.#pending.settle(id);
    if (this.#listening.delete(id)) void this.onlisten?.(id, []);
  }

  #notified(method: string, params: Params | undefined): void {
    if (method === 'notifications/cancelled' && isId(params?.['requestId'])) {
      this.#asked.delete(params['requestId']);
    }
  }

  /** Tells a client that it listens, once it does: what changes from then on it will hear of. */
  async #acknowledge(message: { readonly params?: Params | undefined }): Promise<void> {
    const { _meta: meta, notifications: kinds } = (message.params ?? {}) as {
      readonly _meta?: Params;
      readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
    };
    const id = meta?.[SUBSCRIPTION_ID_META_KEY];
    if (!isId(id)) return this.#write(message);
    this.#listening.add(id);
    const listening = this.onlisten?.(id, kinds?.resourceSubscriptions ?? []) ?? Promise.resolve();
    const told = listening.then(() => this.#write(message));
    const all = Promise.all([this.#acknowledging, told]).then(() => {
      if (this.#acknowledging === all) this.#acknowledging = undefined;
    });
    this.#acknowledging = all;
    await told;
    // From here on the request stays open until it is cancelled: nobody waits for its answer.
    this.#pending.settle(id);
  }

  /** Remembers what the client is asked: once its input has ended, no answer will come. */
  #ask(id: RequestId): void {
    this.#asked.add(id);
    if (!this.#reading) this.#answerForClient(id);
  }

  /** The only thing that clients are asked is to let the user decide. */
  #answerForClient(id: RequestId): void {
    this.#asked.delete(id);
    queueMicrotask(() => this.onmessage?.(noDecision(id)));
  }

  /** Waits for the write, so that what nobody reads is not produced without end. */
  async #refuse({ id, code, message }: Refusal): Promise<void> {
    await this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** Progress is old by the time a client reads it that does not keep up. */
  #isMissable(method: string): boolean {
    return method === 'notifications/progress' && this.#output.writableNeedDrain;
  }

  async #writeUpdate(message: object): Promise<void> {
    const line = JSON.stringify(message);
    if (this.#unwrittenUpdates.has(line)) return;
    this.#unwrittenUpdates.add(line);
    if (this.#acknowledging !== undefined) await this.#acknowledging;
    await this.#write(message);
    this.#unwrittenUpdates.delete(line);
  }

  #write(message: object): Promise<void> {
    if (this.#broken) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#unwritten.delete(done);
        resolve();
      };
      this.#unwritten.add(done);
      // What fails to be written breaks the connection through the stream's own event.
      this.#output.write(`${JSON.stringify(message)}\n`, done);
    });
  }
}

const tooEarly =
  'The request came before "initialize"; send that first. (Requests of protocol 2026-07-28 name their version in params._meta and need none.)';

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}
