import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server';
import { decisionIn, noDecision } from '../server/ask-client.ts';
import { restoreErrorCode } from '../server/mcp-errors.ts';
import type { EventLog } from './event-log.ts';

/** Messages that came in one POST, and whether their client can be asked something on the way. */
export interface Posted {
  readonly messages: readonly JSONRPCMessage[];
  readonly isBatch: boolean;
  readonly canAsk: boolean;
}

/** The SDK demands both, whatever the client accepts: what it gets in the end is ours to decide. */
const bothForms = 'application/json, text/event-stream';

/**
 * The SDK's transport of the 2025 era, which knows in addition what is under way: so that a session
 * can wait for it, a cancelled request ends its stream, and nobody waits for a decision that cannot
 * come.
 */
export class HttpTransport extends WebStandardStreamableHTTPServerTransport {
  /** The requests that are not answered yet, and whether each can ask its client something. */
  readonly #running = new Map<RequestId, { readonly canAsk: boolean }>();
  /** The ids of what the client is asked, by us. */
  readonly #asked = new Set<RequestId>();
  #waiting: (() => void)[] = [];
  #mayAsk = true;
  readonly #log: EventLog | undefined;

  constructor(
    options: WebStandardStreamableHTTPServerTransportOptions & { readonly eventStore?: EventLog },
  ) {
    super(options);
    this.#log = options.eventStore;
  }

  /** How many requests are under way. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether the messages have an id that is taken: their answers could not be told apart. */
  hasTakenId(messages: readonly JSONRPCMessage[]): boolean {
    const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
    return new Set(ids).size < ids.length || ids.some((id) => this.#running.has(id));
  }

  /** Serves a POST. The request's body is not read. */
  async post(request: Request, { messages, isBatch, canAsk }: Posted): Promise<Response> {
    const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
    for (const id of ids) this.#running.set(id, { canAsk });
    const passed = messages.map((message) => this.#withDecision(message));
    const parsedBody = isBatch ? passed : passed[0];
    const headers = new Headers(request.headers);
    headers.set('accept', bothForms);
    const { url, method } = request;
    const handle = (): Promise<Response> =>
      this.handleRequest(new Request(url, { method, headers }), { parsedBody });
    const sole = ids.length === 1 ? ids[0] : undefined;
    const response = await (this.#log?.beginning(sole, handle) ?? handle());
    if (!response.ok) for (const id of ids) this.#settle(id);
    for (const message of messages) await this.#ifCancelled(message);
    return response;
  }

  /** Opens the stream that a GET asks for, from `lastEventId` on where one is given. */
  async listen(request: Request, lastEventId: string | undefined): Promise<Response> {
    // A client behind a broken network cannot close the one that it had.
    if (lastEventId === undefined) this.closeStandaloneSSEStream();
    const headers = new Headers(request.headers);
    headers.set('accept', 'text/event-stream');
    if (lastEventId === undefined) headers.delete('last-event-id');
    return this.handleRequest(new Request(request.url, { headers }));
  }

  /** Nobody is listened to any more: ends the listening stream, and what waits for a decision. */
  stop(): void {
    this.#mayAsk = false;
    this.closeStandaloneSSEStream();
    for (const id of this.#asked) this.#answerForClient(id);
  }

  /** Resolves when nothing is under way. */
  drained(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  override async send(
    message: JSONRPCMessage,
    options?: { relatedRequestId?: RequestId },
  ): Promise<void> {
    if ('method' in message) {
      if ('id' in message && !this.#ask(message.id, options?.relatedRequestId)) return;
      return super.send(message, options);
    }
    try {
      await super.send(restoreErrorCode(message), options);
    } finally {
      if (message.id !== undefined) this.#settle(message.id);
    }
  }

  override async close(): Promise<void> {
    await super.close();
    for (const id of [...this.#running.keys()]) this.#settle(id);
  }

  #settle(id: RequestId): void {
    this.#running.delete(id);
    if (this.#running.size > 0) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Whether the client can be asked; otherwise it is answered for. */
  #ask(id: RequestId, related: RequestId | undefined): boolean {
    const canAsk = this.#mayAsk && related !== undefined && this.#running.get(related)?.canAsk;
    if (canAsk) this.#asked.add(id);
    else this.#answerForClient(id);
    return canAsk === true;
  }

  #answerForClient(id: RequestId): void {
    this.#asked.delete(id);
    queueMicrotask(() => this.onmessage?.(noDecision(id)));
  }

  #withDecision(message: JSONRPCMessage): JSONRPCMessage {
    if (!isJSONRPCResponse(message) || message.id === undefined) return message;
    return this.#asked.delete(message.id) ? decisionIn(message, message.id) : message;
  }

  /**
   * The SDK never answers what was cancelled, and so never ends its stream. A stream that ends
   * without an answer is resumed again and again by clients, so there is one, which they ignore.
   */
  async #ifCancelled(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'] as RequestId | undefined;
    if (id === undefined || !this.#running.has(id)) return;
    const error = { code: -32000, message: 'The request was cancelled.' };
    const answer: JSONRPCResponse = { jsonrpc: '2.0', id, error };
    await this.send(answer).catch(() => undefined); // Its real answer was faster.
  }
}
