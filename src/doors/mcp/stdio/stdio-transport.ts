import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';
import { isObject } from '../../../base/json.ts';
import { limits } from '../../../base/limits.ts';
import { toVaultError } from '../../../base/vault-error.ts';
import { decisionIn, noDecision } from '../server/ask-client.ts';
import { restoreErrorCode } from '../server/mcp-errors.ts';
import {
  isModern,
  type LargeReader,
  parseMessage,
  type ReadMessage,
  type Refusal,
  readMessage,
} from '../server/read-message.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import { PendingRequests } from './pending-requests.ts';

/** The methods that need a handshake first in the 2025 protocol. */
const needsInitialize = /^(tools|resources|prompts|completion)\//;

/** The methods that can be answered before a vault is open. */
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
 * JSON-RPC over two streams, one message per line. Unlike the SDK's own transport, it answers lines
 * that it cannot read, limits the length of lines and the number of requests at once, and stays
 * open when its input has ended: its owner waits until it is `drained`, and then closes it.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /**
   * Called when a client of 2026-07-28 begins to listen to resources, with the id of its request;
   * with no resources when it stops. The client gets its acknowledgement, and any notification of a
   * change, after this has resolved.
   */
  onlisten?: (id: RequestId, uris: readonly string[]) => Promise<void>;
  /** Called once, with the first request that may need a vault, or after the first answer. */
  onneeded?: (() => void) | undefined;
  /**
   * Called once, with the first answer to an ordinary "tools/list" in the 2025 protocol, and with what
   * the client has said that it can do.
   */
  onlisted?: ((list: unknown, capabilities: unknown) => void) | undefined;

  /** Resolves when no more is read: the input ended, the client sent `exit`, or a stream broke. */
  readonly finished: Promise<void>;
  #finish: () => void = () => undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #readLarge: LargeReader | undefined;
  readonly #lines = new LineSplitter(limits.messageBytesMax);
  readonly #pending = new PendingRequests();
  /** The ids of our questions to the user. */
  readonly #asked = new Set<RequestId>();
  /** The requests of clients of 2026-07-28 that listen to resources. */
  readonly #listening = new Set<RequestId>();
  /** Resolves when all listeners that have been added are acknowledged; undefined when they are. */
  #acknowledging: Promise<unknown> | undefined;
  #initialized = false;
  /** How many of the next requests were answered already: "initialize", and then "tools/list". */
  #answered: number;
  /** The "initialize" that was answered already (see `greeting`): the SDK's answer is not sent. */
  #greeted: { readonly id: RequestId; readonly answered: () => void } | undefined;
  /** What the client has said in its handshake that it can do. */
  #capabilities: unknown;
  /** The id of the request whose answer `onlisted` gets. */
  #listed: RequestId | undefined;
  /** Whether the client has made a handshake, so speaks the 2025 protocol. */
  #legacy = false;
  #reading = true;
  /** Whether writing was given up. */
  #broken = false;
  /** Settles the writes that the system has not finished yet, when they are given up. */
  readonly #unwritten = new Set<() => void>();
  /** The notifications of changes that wait to be written: the same one is not written twice. */
  readonly #unwrittenUpdates = new Set<string>();

  /** `answered` of the first requests have been answered already; none unless given. */
  constructor(streams: {
    readonly input: Readable;
    readonly output: Writable;
    readonly answered?: number;
    readonly readLarge?: LargeReader | undefined;
  }) {
    this.#input = streams.input;
    this.#output = streams.output;
    this.#answered = streams.answered ?? 0;
    this.#readLarge = streams.readLarge;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async start(): Promise<void> {
    this.#output.on('error', () => this.abandon()); // The client has closed our output.
    this.#read().then(
      () => this.stop(),
      () => this.stop(), // A broken input is treated like one that ended.
    );
  }

  /** Called by the SDK after a handshake, which only clients of the 2025 protocol make. */
  setProtocolVersion(): void {
    this.#legacy = true;
  }

  /** Stops reading. Requests that run are still answered. */
  stop(): void {
    if (!this.#reading) return;
    this.#reading = false;
    this.#input.destroy();
    for (const id of this.#asked) this.#answerForClient(id);
    this.#finish();
  }

  /**
   * Resolves when every request is answered and every answer written; with false after `waitMs`.
   */
  async drained(waitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), waitMs);
    });
    const done = this.#pending.fewerThan(1).then(() => true);
    return Promise.race([done, late]).finally(() => clearTimeout(timer));
  }

  /** Gives up writing: the client has closed our output or does not read. */
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

  /** Writes a message as one line; resolves when the system has taken it. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) {
      const { method } = message;
      if (!('id' in message)) this.#forgetIfCancelled(method, message.params);
      else if (method === 'elicitation/create') this.#ask(message.id);
      if (method === 'notifications/subscriptions/acknowledged') await this.#acknowledge(message);
      else if (method === 'notifications/resources/updated') await this.#writeUpdate(message);
      else if (!this.#isMissable(method)) await this.#write(message);
    } else {
      if (message.id !== undefined && message.id === this.#greeted?.id) this.#greeted.answered();
      else await this.#write(this.#legacy ? restoreErrorCode(message) : message);
      if (message.id !== undefined) this.#pending.settle(message.id);
      if (message.id !== undefined && message.id === this.#listed) this.#tellList(message);
      if (this.#reading) this.#needed();
    }
  }

  /** Resolves when the client has read what it was sent, as far as the stream can tell. */
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
    const read = await this.#readLine(line.bytes);
    if (!read.ok) {
      this.#answered = 0; // No line was answered that cannot be read.
      return this.#refuse(read.refusal);
    }
    const { message } = read;
    if ('method' in message && 'id' in message) {
      const { id, method } = message;
      const isAnswered = this.#answered > 0;
      if (isAnswered) this.#answered -= 1;
      if (method === 'initialize') {
        this.#initialized = true;
        this.#capabilities = message.params?.['capabilities'];
      } else if (isAnswered) return; // The SDK has to hear of the handshake, but not of the list.
      if (!this.#initialized && needsInitialize.test(method) && !isModern(message)) {
        return this.#refuse({ id, code: ProtocolErrorCode.InvalidRequest, message: tooEarly });
      }
      await this.#pending.fewerThan(limits.requestsAtOnceMax);
      this.#pending.add(id);
      if (!needsNoVault.has(method)) this.#needed();
      if (isAnswered) return this.#passGreeted(message, id);
      if (method === 'tools/list' && isWhole(message.params)) this.#listed = id;
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

  async #readLine(bytes: Uint8Array): Promise<ReadMessage> {
    try {
      return readMessage(await parseMessage(bytes, this.#readLarge));
    } catch (error) {
      const { message } = toVaultError(error);
      return { ok: false, refusal: { id: null, code: ProtocolErrorCode.InternalError, message } };
    }
  }

  /**
   * Passes on the "initialize" that was answered already; resolves when the SDK has answered it
   * too.
   */
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

  /** Tells `onlisted` of the first answer that is a list. */
  #tellList(message: object): void {
    const list = 'result' in message ? message.result : undefined;
    // A client may use an id twice, so this may be the answer to something else.
    if (!this.#legacy || !isObject(list) || !('tools' in list)) return;
    this.onlisted?.(list, this.#capabilities);
    this.onlisted = undefined;
  }

  /** Calls `onneeded`, the first time. */
  #needed(): void {
    const callback = this.onneeded;
    this.onneeded = undefined;
    callback?.();
  }

  /** A cancelled request gets no answer, so nobody waits for it. */
  #cancelled(id: unknown): void {
    if (!isId(id)) return;
    this.#pending.settle(id);
    if (this.#listening.delete(id)) void this.onlisten?.(id, []);
  }

  /** If this notification takes back a question to the client, no answer is expected any more. */
  #forgetIfCancelled(method: string, params: Params | undefined): void {
    if (method === 'notifications/cancelled' && isId(params?.['requestId'])) {
      this.#asked.delete(params['requestId']);
    }
  }

  /**
   * Acknowledges a listener after its subscriptions have begun: it misses no change from then on.
   */
  async #acknowledge(message: { readonly params?: Params | undefined }): Promise<void> {
    const { _meta: meta, notifications: kinds } = (message.params ?? {}) as {
      readonly _meta?: Params;
      readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
    };
    const id = meta?.[SUBSCRIPTION_ID_META_KEY];
    if (!isId(id)) return this.#write(message);
    this.#listening.add(id);
    const listening = this.onlisten?.(id, kinds?.resourceSubscriptions ?? []) ?? Promise.resolve();
    const written = listening.then(() => this.#write(message));
    const all = Promise.all([this.#acknowledging, written]).then(() => {
      if (this.#acknowledging === all) this.#acknowledging = undefined;
    });
    this.#acknowledging = all;
    await written;
    // The request stays open until it is cancelled, so it does not count as unanswered.
    this.#pending.settle(id);
  }

  /** Remembers a question to the client. When its input has ended, no answer can come. */
  #ask(id: RequestId): void {
    this.#asked.add(id);
    if (!this.#reading) this.#answerForClient(id);
  }

  /** Answers a question to the user with "cancelled". */
  #answerForClient(id: RequestId): void {
    this.#asked.delete(id);
    queueMicrotask(() => this.onmessage?.(noDecision(id)));
  }

  /** Waits until the refusal is written, so that unread refusals do not pile up in memory. */
  async #refuse({ id, code, message }: Refusal): Promise<void> {
    await this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** Whether a notification may be dropped: progress and log, while the client reads too slowly. */
  #isMissable(method: string): boolean {
    return missable.has(method) && this.#output.writableNeedDrain;
  }

  /** Writes the notification of a change, after the acknowledgements of all listeners. */
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
      // If the write fails, the stream's `error` event calls `abandon`.
      this.#output.write(`${JSON.stringify(message)}\n`, done);
    });
  }
}

const missable: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

const tooEarly =
  'The request came before "initialize"; send that first. (Requests of protocol 2026-07-28 need no "initialize": they name their version in params._meta.)';

/** Whether a line has no message. A long line is not looked at: that would take too long here. */
function isBlank(bytes: Buffer): boolean {
  if (bytes.length > limits.jsonInPlaceBytesMax) return false;
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}

/** Whether these parameters of "tools/list" ask for the whole list, and for nothing else. */
function isWhole(params: object | undefined): boolean {
  return params === undefined || Object.keys(params).length === 0;
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}
