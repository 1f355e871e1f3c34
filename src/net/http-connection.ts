import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Visitor } from '../base/caller.ts';
import { faultOrigin, type Logger } from '../base/logger.ts';
import type { HttpHandler, Refusal } from './http-handler.ts';
import { bodyTooLarge, type ClearHead, peerAddress, readBody, readHead } from './read-request.ts';
import { sendAnswer, sendLastAnswer } from './send-answer.ts';

/** The limits that a listener holds its clients to. Tests use smaller ones. */
export type HttpLimits = Readonly<
  Record<
    | 'httpHeaderBytesMax'
    | 'httpBodiesBytesMax'
    | 'httpRequestsMax'
    | 'httpConnectionsMax'
    | 'httpHeadMs'
    | 'httpRequestMs'
    | 'httpLookMs'
    | 'httpIdleMs'
    | 'httpLingerMs'
    | 'httpClosingMs'
    | 'httpAheadMax'
    | 'httpUnreadBytesMax'
    | 'httpUnreadAllBytesMax'
    | 'httpUnreadMs',
    number
  >
>;

/** What all connections of a listener share. */
export interface Shared {
  readonly handler: HttpHandler;
  readonly logger: Logger;
  readonly limits: HttpLimits;
  /** How many requests are being served, except open event streams. */
  requests: number;
  /** The bytes of the bodies that are held in memory. */
  bodyBytes: number;
  isClosing: boolean;
  /** The connections that serve no request (idle or over), the longest without one first. */
  readonly spare: Set<HttpConnection>;
  /** Called when much was written that a client has not read yet. */
  readonly onUnread: () => void;
}

/** A request as Node's server hands it over. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client waits for "100 Continue" before it sends its body. */
  readonly wantsContinue?: boolean;
}

/** Between requests, reading one, answering it, or after the last answer has been begun. */
type Stage = 'idle' | 'receiving' | 'answering' | 'over';

/**
 * Serves the requests of one connection, one after the other. A refusal is always the last answer:
 * the bytes that follow may be the rest of the refused request, not a new one.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #shared: Shared;
  /** The requests that the client sent ahead, before the current one was answered. */
  readonly #waiting: Arrival[] = [];
  #stage: Stage = 'idle';
  /**
   * The request being served. Kept because its signal stops working when it is garbage-collected.
   */
  #kept: { readonly arrival: Arrival; request?: Request } | undefined;
  /** How far the client has read, as of the last look that saw it read, and when that was. */
  #read: { readonly mark: string; readonly atMs: number } | undefined;

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
    this.#enter('idle');
    socket.once('close', () => shared.spare.delete(this));
  }

  /** Serves a request, after those that were sent before it on this connection. */
  take(arrival: Arrival): void {
    if (this.#stage === 'over')
      arrival.request.resume(); // Read and thrown away.
    else if (this.#waiting.length >= this.#shared.limits.httpAheadMax) this.#socket.destroy();
    else this.#waiting.push(arrival);
    if (this.#stage === 'idle') void this.#serveWaiting();
  }

  /** Refuses what the client is sending. In the middle of an answer it can only hang up. */
  fail(refusal: Refusal): void {
    if (this.#stage === 'answering') this.#socket.destroy();
    else if (this.#stage !== 'over') this.#refuse(refusal);
  }

  /** Nothing was sent or received for a while: closes the connection if it is idle. */
  quiet(): void {
    if (this.#stage === 'idle') this.#socket.destroy();
  }

  /** How many bytes wait for the client to read them. */
  get unreadBytes(): number {
    return this.#socket.destroyed ? 0 : this.#socket.writableLength;
  }

  /**
   * Looks whether the client reads what waits for it, and cuts the connection when it has read
   * nothing for too long. Node's own timeout is not used: it fires only after twice its time, and
   * begins anew with every write, such as those that keep a stream alive.
   */
  look(nowMs: number): void {
    if (this.unreadBytes === 0) {
      this.#read = undefined;
      return;
    }
    const mark = readMark(this.#socket);
    if (this.#read?.mark !== mark) this.#read = { mark, atMs: nowMs };
    else if (nowMs - this.#read.atMs >= this.#shared.limits.httpUnreadMs) this.cutOff();
  }

  /** Cuts the connection of a client that does not read its answers. */
  cutOff(): void {
    this.#log('info', 'http unread');
    this.#socket.destroy();
  }

  /** The server is closing: a request that runs is still answered, everything else ends here. */
  stop(): void {
    // A request that is still being received has not begun to run, and may never be complete.
    if (this.#stage === 'receiving') this.#refuse(stopping);
    else if (this.#stage !== 'answering') this.#socket.destroySoon();
  }

  /** Closes this idle connection to make room for a new one. */
  giveWay(): void {
    this.#shared.spare.delete(this);
    this.#log('debug', 'http gives way');
    this.#socket.destroy();
  }

  async #serveWaiting(): Promise<void> {
    for (;;) {
      const arrival = this.#waiting.shift();
      if (arrival === undefined || this.#socket.destroyed) break;
      this.#enter('receiving');
      this.#kept = { arrival };
      await this.#serve(arrival);
      if (this.#is('over')) return;
      // Other connections come first: a thousand clients may each have sent several requests.
      if (this.#waiting.length > 0) await new Promise(setImmediate);
    }
    this.#kept = undefined;
    this.#enter('idle');
    if (this.#shared.isClosing) this.#socket.destroySoon();
  }

  async #serve(arrival: Arrival): Promise<void> {
    const shared = this.#shared;
    if (shared.isClosing) return this.#refuse(stopping);
    if (shared.requests >= shared.limits.httpRequestsMax) return this.#refuse(tooManyRequests);
    // What this request counts for in `shared`; `release` may be called twice.
    const held = { requests: 1, bodyBytes: 0 };
    shared.requests += 1;
    const release = (what: 'requests' | 'bodyBytes'): void => {
      shared[what] -= held[what];
      held[what] = 0;
    };
    const hold = (bytes: number): boolean => {
      if (shared.bodyBytes + bytes > shared.limits.httpBodiesBytesMax) return false;
      shared.bodyBytes += bytes;
      held.bodyBytes += bytes;
      return true;
    };
    try {
      const received = await this.#receive(arrival, hold);
      if (received === undefined || this.#is('over') || arrival.response.destroyed) return;
      if (received instanceof Response) return this.#end(received);
      if ('status' in received) return this.#refuse(received);
      this.#enter('answering');
      const answer = await this.#handle(received.request, received.visitor);
      release('bodyBytes');
      await this.#answer(arrival, answer, { isLast: received.isLast, release });
    } catch (error) {
      this.#bug(error);
      this.fail(failed);
    } finally {
      release('requests');
      release('bodyBytes');
    }
  }

  /**
   * Reads a request, or answers why it is not served. Undefined when the client has left. `hold`
   * reserves memory for the body, and answers false when there is none.
   */
  async #receive(
    arrival: Arrival,
    hold: (bytes: number) => boolean,
  ): Promise<Received | Response | Refusal | undefined> {
    const { handler } = this.#shared;
    const clear = readHead(arrival.request);
    if ('status' in clear) return clear;
    const visitor = await handler.admit(clear.head);
    if (visitor instanceof Response) return visitor;
    const bytesMax = await handler.bodyBytesMax(clear.head);
    // The length of a chunked body is not known yet; it counts as one byte.
    if ((clear.bodyBytes ?? 1) > bytesMax) return bodyTooLarge(bytesMax);
    if (arrival.wantsContinue) arrival.response.writeContinue();
    const body = await readBody(arrival.request, { bytesMax, hold });
    if (body === undefined || 'status' in body) return body;
    const request = webRequest(clear, body, arrival.response);
    this.#kept = { arrival, request };
    return { request, visitor, isLast: clear.isLast };
  }

  async #handle(request: Request, visitor: Visitor): Promise<Response> {
    try {
      return await this.#shared.handler.handle(request, visitor);
    } catch (error) {
      this.#bug(error);
      return this.#shared.handler.refuse(failed, this.#path);
    }
  }

  async #answer(
    { request, response }: Arrival,
    answer: Response,
    options: { readonly isLast: boolean; readonly release: (what: 'requests') => void },
  ): Promise<void> {
    const end = await sendAnswer(response, answer, {
      withoutBody: request.method === 'HEAD',
      closes: options.isLast || this.#shared.isClosing,
      unreadBytesMax: this.#shared.limits.httpUnreadBytesMax,
      onStream: () => options.release('requests'),
      onUnread: this.#shared.onUnread,
    });
    const { status } = answer;
    this.#shared.logger.log('debug', 'http', { method: request.method, status, end });
  }

  #refuse(refusal: Refusal): void {
    try {
      this.#end(this.#shared.handler.refuse(refusal, this.#path));
    } catch (error) {
      this.#bug(error);
      this.#socket.destroy();
    }
  }

  /** Sends the last answer of this connection. */
  #end(answer: Response): void {
    this.#enter('over');
    const { limits, isClosing } = this.#shared;
    const request = this.#kept?.arrival.request;
    request?.resume();
    this.#log('debug', 'http refused', answer.status);
    sendLastAnswer(this.#socket, answer, {
      lingerMs: isClosing ? limits.httpClosingMs : limits.httpLingerMs,
      withoutBody: request?.method === 'HEAD',
    }).catch((error: unknown) => {
      this.#bug(error);
      this.#socket.destroy();
    });
  }

  /** The path of the request that is being served, as far as it is known. */
  get #path(): string | undefined {
    return this.#kept?.arrival.request.url?.replace(/[?#].*$/s, '');
  }

  #enter(stage: Stage): void {
    this.#stage = stage;
    const { spare } = this.#shared;
    spare.delete(this);
    if ((stage === 'idle' || stage === 'over') && !this.#socket.destroyed) spare.add(this);
  }

  #is(stage: Stage): boolean {
    return this.#stage === stage;
  }

  #log(level: 'info' | 'debug', event: string, status?: number): void {
    this.#shared.logger.log(level, event, { status, address: peerAddress(this.#socket) });
  }

  #bug(error: unknown): void {
    this.#shared.logger.log('error', 'bug', faultOrigin(error));
  }
}

/**
 * A text that changes when the client's system has taken bytes: those of the writes that are
 * finished, and those that are left of the write under way.
 */
function readMark(socket: Socket): string {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`;
}

interface Received {
  readonly request: Request;
  readonly visitor: Visitor;
  readonly isLast: boolean;
}

function webRequest(
  { head, url }: ClearHead,
  body: Uint8Array<ArrayBuffer>,
  response: ServerResponse,
): Request {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return new Request(url, {
    method: head.method,
    headers: head.headers,
    signal: left.signal,
    ...(body.length > 0 && { body }),
  });
}

const tooManyRequests: Refusal = {
  status: 503,
  message: 'The server has too many requests under way. Try again in a second.',
  headers: { 'Retry-After': '1' },
};

const stopping: Refusal = {
  status: 503,
  message: 'The server is stopping. Try again when it is back.',
  headers: { 'Retry-After': '1' },
};

const failed: Refusal = {
  status: 500,
  message: 'The server failed at this request. Its log says where.',
};
