import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Caller, Scopes } from '../../base/caller.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { faultOrigin, type Logger } from '../../base/logger.ts';
import { oneLine } from '../../base/one-line.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { Service } from '../../tools/service/service.ts';
import { CallOrder } from './call-order.ts';
import { changedPaths, readParams } from './call-params.ts';
import type { Correlations } from './correlations.ts';
import { FrameReader } from './frames.ts';
import { Outbox } from './outbox.ts';
import {
  type ReadRequest,
  type RemoteRefusal,
  type RemoteRequest,
  readRequest,
} from './read-request.ts';
import { RemoteCall } from './remote-call.ts';
import { protocolErrorCodes, remoteErrorCodes } from './remote-errors.ts';
import type { RemoteLimits } from './remote-limits.ts';
import type { RemoteMethods, ServerInfo } from './server-info.ts';
import { Watches } from './watches.ts';

/** Reads a long message without holding up other clients. The bytes are handed over. */
export type ReadLarge = (bytes: Uint8Array) => Promise<ReadRequest>;

/** What all connections of a door share. */
export interface ConnectionParts {
  readonly service: Service;
  readonly logger: Logger;
  readonly scopes: Scopes;
  readonly timers: { after(ms: number, call: () => void): () => void };
  readonly limits: RemoteLimits;
  readonly methods: RemoteMethods;
  readonly info: ServerInfo;
  readonly correlations: Correlations;
  /** Where it is absent, long messages are read like short ones. */
  readonly readLarge: ReadLarge | undefined;
  /** Aborted when the server stops and changes take too long. */
  readonly endOfDoor: AbortSignal;
  readonly isToken: (text: string) => boolean;
  /** Called when much waits to be sent to a connection. */
  readonly onUnread: () => void;
  /** Called when a connection has sent the right token. */
  readonly onAdmitted: (connection: RemoteConnection) => void;
  /** Called when a connection is closed and all of its calls have ended. */
  readonly onGone: (connection: RemoteConnection) => void;
}

const nameCharsMax = 100;
const { methodNotFound, invalidParams, internalError, authRequired, authInvalid } =
  protocolErrorCodes;
const noObject = 'The params must be an object.';
const wrongToken = 'The token is wrong; read it from the token file again, and connect again.';

/**
 * Serves one client, from its first byte until all of its calls have ended. Until the client has
 * sent the token, only `auth` is answered. While too much waits to run or to be sent, nothing is
 * read.
 */
export class RemoteConnection {
  readonly #parts: ConnectionParts;
  readonly #socket: Duplex;
  readonly #id = `remote:${randomUUID()}`;
  readonly #frames: FrameReader;
  readonly #outbox: Outbox;
  readonly #order: CallOrder<RemoteCall>;
  readonly #watches: Watches;
  /** Aborts reads when the client has left. A change that has begun is finished. */
  readonly #leaving = new AbortController();
  /** Who reads and who changes: the same client, but the calls are aborted by different signals. */
  readonly #reader: Caller;
  #changer: Caller;
  readonly #stopAuthClock: () => void;
  #isAdmitted = false;
  /** False when the connection is being closed. */
  #isReading = true;
  /** Whether the socket is paused, because there is no room for more calls. */
  #isHeld = false;
  #hasInputEnded = false;
  #isReadingLarge = false;
  #isClosed = false;
  /** How many calls wait or run, and how long their messages are together. */
  #pending = 0;
  #pendingBytes = 0;

  constructor(socket: Duplex, parts: ConnectionParts) {
    const { service, scopes, limits, correlations, timers } = parts;
    this.#parts = parts;
    this.#socket = socket;
    this.#frames = new FrameReader({
      headBytes: limits.remoteHeadBytesMax,
      bodyBytes: limits.remoteMessageBytesMax,
    });
    this.#outbox = new Outbox(socket, {
      limits,
      cutOff: () => this.cutOff('notices unread'),
      onFull: parts.onUnread,
    });
    this.#order = new CallOrder({
      atOnce: { small: limits.remoteSmallCallsMax, large: limits.remoteBulkCallsMax },
      mayBegin: () => !this.#outbox.isFull,
      begin: (call) => void this.#run(call),
    });
    const caller = { door: 'remote', connection: this.#id, scopes } as const;
    const deadlineMs = limits.remoteCallMs;
    setMaxListeners(0, this.#leaving.signal); // Each call that runs adds one.
    this.#reader = { ...caller, deadlineMs, signal: this.#leaving.signal };
    this.#changer = { ...caller, deadlineMs, signal: parts.endOfDoor };
    this.#watches = new Watches({
      service,
      caller: this.#reader,
      outbox: this.#outbox,
      correlations,
      max: limits.remoteWatchesMax,
    });
    this.#stopAuthClock = timers.after(limits.remoteAuthMs, () => this.cutOff('no token in time'));
    this.#listen();
  }

  /** How many bytes wait for the client to read them. */
  get unreadBytes(): number {
    return this.#outbox.unsentBytes;
  }

  /** Stops reading, answers the calls that were read, and closes the connection. */
  finish(): void {
    this.#isReading = false;
    this.#socket.pause();
    this.#endWhenAnswered();
  }

  /** Closes the connection at once; answers that were not sent are lost. */
  cutOff(reason: string): void {
    if (this.#socket.destroyed) return;
    this.#parts.logger.log('warn', 'remote client cut off', { reason });
    this.#socket.destroy();
  }

  #listen(): void {
    this.#socket
      .on('data', (chunk: Buffer) => {
        if (!this.#isReading) return; // The connection is being closed.
        this.#frames.push(chunk);
        this.#read();
      })
      .on('end', () => {
        this.#hasInputEnded = true;
        this.#read();
      })
      .on('drain', () => {
        this.#order.advance();
        this.#read();
      })
      .on('error', () => undefined) // `close` follows.
      .on('close', () => this.#closed());
  }

  /** Reads frames as long as there is room for their calls. */
  #read(): void {
    while (this.#isReading && !this.#isFull() && !this.#saysTooMuch()) {
      const body = this.#frames.next();
      if (body === undefined) break;
      this.#take(body);
    }
    if (!this.#isReading) return;
    const isFull = this.#isFull();
    if (this.#frames.fault !== undefined) this.#failFrames(this.#frames.fault);
    else if (this.#saysTooMuch()) this.#failFrames('too much before the token');
    else if (this.#hasInputEnded && !isFull) this.#endInput();
    else if (isFull !== this.#isHeld) this.#hold(isFull);
  }

  #hold(isFull: boolean): void {
    this.#isHeld = isFull;
    if (isFull) this.#socket.pause();
    else this.#socket.resume();
  }

  #isFull(): boolean {
    const { requestsAtOnceMax, remotePendingBytesMax } = this.#parts.limits;
    return (
      this.#isReadingLarge ||
      this.#pending >= requestsAtOnceMax ||
      this.#pendingBytes >= remotePendingBytesMax ||
      this.#outbox.isFull
    );
  }

  /** Whether the client has sent more than one message may have, and not yet the token. */
  #saysTooMuch(): boolean {
    const { remoteHeadBytesMax, remoteMessageBytesMax } = this.#parts.limits;
    return (
      !this.#isAdmitted && this.#frames.bytesTaken > remoteHeadBytesMax + remoteMessageBytesMax
    );
  }

  /** Stops reading, without an answer: after a framing fault, no further message can be read. */
  #failFrames(reason: string): void {
    this.#parts.logger.log('info', 'remote framing fault', { reason });
    this.finish();
  }

  /** The client has ended its side of the connection, and may still wait for answers. */
  #endInput(): void {
    if (this.#frames.isInside) this.#failFrames('end inside a message');
    else this.finish();
  }

  #take(body: Buffer): void {
    const { readLarge } = this.#parts;
    if (body.length > limits.jsonInPlaceBytesMax && readLarge !== undefined) {
      void this.#takeLarge(body, readLarge);
    } else {
      this.#handle(readRequest(body), body.length);
    }
  }

  /** Reads a long message elsewhere. No other message is read meanwhile, so they stay in order. */
  async #takeLarge(body: Buffer, readLarge: ReadLarge): Promise<void> {
    const bytes = body.length;
    this.#isReadingLarge = true;
    this.#pending += 1;
    const request = await readLarge(body).catch((error: unknown): RemoteRefusal => {
      return { id: 'null', code: internalError, message: toVaultError(error).message };
    });
    this.#isReadingLarge = false;
    this.#pending -= 1;
    if (!this.#socket.destroyed) this.#handle(request, bytes);
    this.#read();
    this.#endWhenAnswered();
  }

  #handle(request: ReadRequest, bytes: number): void {
    if (request === undefined) return;
    const refusal = 'code' in request ? request : this.#start(request, bytes);
    if (refusal !== undefined) this.#outbox.refuse(refusal);
  }

  /**
   * Runs a request, now or later, or answers a refusal. The token is checked before the parameters.
   */
  #start(request: RemoteRequest, bytes: number): RemoteRefusal | undefined {
    const { id, method } = request;
    const kind = this.#parts.methods.get(method);
    if (kind === undefined) {
      const message = `There is no method "${oneLine(method, nameCharsMax)}".`;
      return { id, code: methodNotFound, message };
    }
    if (method === 'auth') return this.#auth(request);
    if (!this.#isAdmitted) {
      return { id, code: authRequired, message: 'Send the token with auth first.' };
    }
    const params = readParams(request.params);
    if (params === undefined) return { id, code: invalidParams, message: noObject };
    if (method === 'server.info') {
      this.#outbox.answer(id, this.#parts.info);
      return undefined;
    }
    this.#pending += 1;
    this.#pendingBytes += bytes;
    this.#order.add(new RemoteCall(request, { params, kind, bytes }));
    return undefined;
  }

  /**
   * Checks the token at once, before the next message is read. History shows the name that the
   * client may give itself.
   */
  #auth({ id, params }: RemoteRequest): RemoteRefusal | undefined {
    if (!isObject(params)) return { id, code: invalidParams, message: noObject };
    const token = params['token'] ?? '';
    if (typeof token !== 'string') {
      return { id, code: invalidParams, message: '"token" must be text.' };
    }
    if (!this.#parts.isToken(token)) {
      this.#parts.logger.log('warn', 'remote client refused', { reason: 'wrong token' });
      this.#outbox.refuse({ id, code: authInvalid, message: wrongToken });
      this.finish();
      return undefined;
    }
    const client = params['client'];
    if (typeof client === 'string' && client.trim() !== '') {
      this.#changer = { ...this.#changer, client: oneLine(client, nameCharsMax) };
    }
    this.#outbox.answer(id, { ok: true });
    if (!this.#isAdmitted) {
      this.#isAdmitted = true;
      this.#stopAuthClock();
      this.#parts.onAdmitted(this);
    }
    return undefined;
  }

  /** Runs a call and answers it. Never rejects. */
  async #run(call: RemoteCall): Promise<void> {
    try {
      if (call.method === 'fs.watch') await this.#watch(call);
      else if (call.method === 'fs.unwatch') this.#unwatch(call);
      else await this.#callTool(call);
    } catch (error) {
      this.#fail(call, error);
    }
    this.#pending -= 1;
    this.#pendingBytes -= call.bytes;
    this.#order.ended(call);
    if (this.#isHeld) this.#read();
    this.#endWhenAnswered();
  }

  async #callTool(call: RemoteCall): Promise<void> {
    const { id, method, params, kind } = call;
    const caller = kind === 'changing' ? this.#changer : this.#reader;
    const forget = kind === 'changing' ? this.#noteName(call) : undefined;
    try {
      const outcome = await this.#parts.service.call(method, params, caller);
      if (!outcome.ok) throw outcome.error;
      this.#outbox.answer(id, outcome.value);
    } catch (error) {
      forget?.();
      throw error;
    }
  }

  /**
   * Notes the name that the client gave to its change, if any, and answers what forgets the name.
   */
  #noteName({ params, cid }: RemoteCall): (() => void) | undefined {
    return cid === undefined ? cid : this.#parts.correlations.note(changedPaths(params), cid);
  }

  async #watch(call: RemoteCall): Promise<void> {
    const subscriptionId = await this.#watches.open(call.params);
    this.#outbox.answer(call.id, { subscriptionId });
    this.#watches.tell(subscriptionId); // Only now: the client learns the id from the answer.
  }

  #unwatch(call: RemoteCall): void {
    this.#watches.end(call.params);
    this.#outbox.answer(call.id, {});
  }

  #fail({ id }: RemoteCall, thrown: unknown): void {
    const error = toVaultError(thrown);
    const isBug = error.code === 'internal';
    if (isBug) this.#parts.logger.log('error', 'bug', faultOrigin(error.cause ?? error));
    // The message of a bug is not sent: it may contain names of files or text of notes.
    const message = isBug ? 'Vaultdoor has a bug; its log says where.' : error.message;
    this.#outbox.refuse({ id, code: remoteErrorCodes[error.code], message });
  }

  /** Ends the connection if nothing more is read and every call is answered. */
  #endWhenAnswered(): void {
    if (this.#isReading || this.#pending > 0) return;
    if (this.#isClosed) this.#gone();
    else if (!this.#socket.writableEnded) this.#hangUp();
  }

  /** Closes the connection soon after the client has read everything. */
  #hangUp(): void {
    const { timers, limits } = this.#parts;
    this.#watches.endAll();
    this.#socket.once('finish', () => {
      timers.after(limits.hangUpMs, () => this.#socket.destroy());
    });
    this.#socket.end();
    this.#socket.resume(); // Closing with unread input would reset it, and lose the last answers.
  }

  #closed(): void {
    this.#isClosed = true;
    this.#isReading = false;
    this.#stopAuthClock();
    this.#leaving.abort();
    this.#watches.endAll();
    this.#pending -= this.#order.clear();
    this.#endWhenAnswered();
  }

  #gone(): void {
    this.#parts.service.disconnected(this.#id);
    this.#parts.onGone(this);
  }
}
