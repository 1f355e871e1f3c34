import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server';
import type { Scopes } from '../../../base/caller.ts';
import { decisionIn, noDecision } from '../server/ask-client.ts';
import { authInfoOf } from '../server/mcp-connection.ts';
import { restoreErrorCode } from '../server/mcp-errors.ts';
import type { EventLog } from './event-log.ts';

/**
 * The messages of one POST, from a visitor with these scopes. `canAsk` says whether the client can be
 * asked something before the answer.
 */
export interface Posted {
  readonly messages: readonly JSONRPCMessage[];
  readonly isBatch: boolean;
  readonly canAsk: boolean;
  readonly scopes: Scopes;
}

/**
 * The SDK insists that both are accepted; `sseToJson` later makes the form that the client accepts.
 */
const bothForms = 'application/json, text/event-stream';

/**
 * The SDK's transport of the 2025 protocol, which also keeps track of the requests that run: so
 * that a session can wait for them, a cancelled request ends its stream, and no call waits for a
 * decision of the user that cannot come.
 */
export class HttpTransport extends WebStandardStreamableHTTPServerTransport {
  /** The requests that are not answered yet, and whether each may ask its client something. */
  readonly #running = new Map<RequestId, { readonly canAsk: boolean }>();
  /** The ids of our questions to the client. */
  readonly #asked = new Set<RequestId>();
  /** What `drained` resolves. */
  #waiting: (() => void)[] = [];
  /** False when the session is stopping: then the client is asked nothing more. */
  #mayAsk = true;
  readonly #log: EventLog | undefined;

  constructor(
    options: WebStandardStreamableHTTPServerTransportOptions & { readonly eventStore?: EventLog },
  ) {
    super(options);
    this.#log = options.eventStore;
  }

  /** How many requests are not answered yet. */
  get running(): number {
    return this.#running.size;
  }

  /**
   * Whether a request has the same id as another one that runs: their answers could not be told
   * apart.
   */
  hasTakenId(messages: readonly JSONRPCMessage[]): boolean {
    const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
    return new Set(ids).size < ids.length || ids.some((id) => this.#running.has(id));
  }

  /** Serves a POST. The request's body is not read. */
  async post(request: Request, { messages, isBatch, canAsk, scopes }: Posted): Promise<Response> {
    const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
    for (const id of ids) this.#running.set(id, { canAsk });
    const passed = messages.map((message) => this.#withDecision(message));
    const parsedBody = isBatch ? passed : passed[0];
    const headers = new Headers(request.headers);
    headers.set('accept', bothForms);
    const { url, method } = request;
    const authInfo = authInfoOf(scopes);
    const handle = (): Promise<Response> =>
      this.handleRequest(new Request(url, { method, headers }), { parsedBody, authInfo });
    const onlyId = ids.length === 1 ? ids[0] : undefined;
    const response = await (this.#log?.beginning(onlyId, handle) ?? handle());
    if (!response.ok) for (const id of ids) this.#settle(id);
    for (const message of messages) await this.#answerIfCancelled(message);
    return response;
  }

  /** Opens the stream of a GET; `lastEventId` is the event after which it continues. */
  async listen(request: Request, lastEventId: string | undefined): Promise<Response> {
    // A client whose network broke could not close its earlier stream.
    if (lastEventId === undefined) this.closeStandaloneSSEStream();
    const headers = new Headers(request.headers);
    headers.set('accept', 'text/event-stream');
    if (lastEventId === undefined) headers.delete('last-event-id');
    return this.handleRequest(new Request(request.url, { headers }));
  }

  /** Ends the listening stream, and answers open questions to the user with "cancelled". */
  stop(): void {
    this.#mayAsk = false;
    this.closeStandaloneSSEStream();
    for (const id of this.#asked) this.#answerForClient(id);
  }

  /** Resolves when all requests are answered. */
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

  /**
   * Notes a question and answers true if the client can be asked; otherwise answers the question
   * with "cancelled". `related` is the request that the question belongs to.
   */
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

  /** The message; if it answers one of our questions, see `decisionIn`. */
  #withDecision(message: JSONRPCMessage): JSONRPCMessage {
    if (!isJSONRPCResponse(message) || message.id === undefined) return message;
    return this.#asked.delete(message.id) ? decisionIn(message, message.id) : message;
  }

  /**
   * If the message cancels a request, answers that request. The SDK does not, and so never ends the request's stream. Clients
   * resume a stream that ends without an answer again and again; an answer to a cancelled request
   * they ignore.
   */
  async #answerIfCancelled(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'] as RequestId | undefined;
    if (id === undefined || !this.#running.has(id)) return;
    const error = { code: -32000, message: 'The request was cancelled.' };
    const answer: JSONRPCResponse = { jsonrpc: '2.0', id, error };
    await this.send(answer).catch(() => undefined); // It was answered before.
  }
}
