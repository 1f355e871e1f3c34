import { allScopes, type Visitor } from '../../src/base/caller.ts';
import type { SessionBook, SessionMemory } from '../../src/base/session-book.ts';
import { McpHttp } from '../../src/doors/mcp/http/mcp-http.ts';
import { openStderrLogger } from '../../src/node/system/stderr-logger.ts';
import type { Service } from '../../src/tools/service/service.ts';
import { type ManualTimers, manualTimers } from './manual-timers.ts';
import { legacyHello, modernMeta, type WireMessage } from './stdio-process.ts';

/** What a door is made of, as far as a test gives it. */
export type HttpDoorParts = Partial<ConstructorParameters<typeof McpHttp>[0]>;

/** Someone at this machine, without a token. */
export const guest: Visitor = { scopes: allScopes, address: '127.0.0.1' };

/** The same, with a token of this id. */
export function holder(token: string): Visitor {
  return { ...guest, token };
}

/** A book that is kept in memory: it outlives the doors that use it. */
export function memoryBook(): SessionBook {
  const ended = new Set<string>();
  const kept = new Map<string, SessionMemory>();
  return {
    key: async () => new Uint8Array(32).fill(7),
    deleted: async (connection) => {
      ended.add(connection);
      kept.delete(connection);
    },
    isDeleted: async (connection) => ended.has(connection),
    keep: async (connection, { resources, logLevel }) => {
      const memory = { resources: [...resources], ...(logLevel === undefined ? {} : { logLevel }) };
      if (resources.length === 0 && logLevel === undefined) kept.delete(connection);
      else kept.set(connection, memory);
    },
    recall: async (connection) => kept.get(connection),
  };
}

/** A request as a client of this test sends it. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, all else as JSON. */
  readonly body?: unknown;
  readonly session?: string | undefined;
  readonly visitor?: Visitor;
  readonly signal?: AbortSignal;
}

/** MCP over HTTP without a port: what would come over the network is handed to the door. */
export class HttpDoor {
  readonly http: McpHttp;
  readonly timers: ManualTimers = manualTimers();
  /** What it logged, at the most talkative level. */
  log = '';
  /** Tokens that were revoked. */
  readonly revoked = new Set<string>();
  #nowMs = 1_000_000;
  #requests = 0;

  constructor(service: Service, parts: HttpDoorParts = {}) {
    const write = (line: string): void => {
      this.log += line;
    };
    this.http = new McpHttp({
      service,
      logger: openStderrLogger({ stream: { write }, level: 'debug', nowMs: Date.now }),
      version: '1.2.3',
      deadlineMs: () => 60_000,
      book: memoryBook(),
      isValid: async (token) => !this.revoked.has(token),
      timers: this.timers,
      nowMs: () => this.#nowMs,
      ...parts,
    });
  }

  /** Lets time pass, for its clock and its timers. */
  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    this.timers.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }

  send(sent: Sent): Promise<Response> {
    const { method = 'POST', headers = {}, body, session, visitor = guest, signal } = sent;
    const isPost = method === 'POST';
    const request = new Request('http://127.0.0.1:1065/mcp', {
      method,
      headers: {
        ...(isPost ? { 'content-type': 'application/json' } : {}),
        accept: isPost ? 'application/json, text/event-stream' : 'text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return this.http.handle(request, visitor);
  }

  /** A request of the 2025 era, and its answer. */
  async ask(method: string, params: object = {}, sent: Sent = {}): Promise<WireMessage> {
    const id = ++this.#requests;
    const response = await this.send({ body: { jsonrpc: '2.0', id, method, params }, ...sent });
    return answerIn(await messagesIn(response));
  }

  /** The same of 2026-07-28. */
  async modern(method: string, params: object = {}, sent: Sent = {}): Promise<WireMessage> {
    const response = await this.sendModern(method, params, sent);
    return answerIn(await messagesIn(response));
  }

  sendModern(method: string, params: object = {}, sent: Sent = {}): Promise<Response> {
    const { name, uri } = params as { readonly name?: string; readonly uri?: string };
    const named = name ?? uri;
    return this.send({
      body: {
        jsonrpc: '2.0',
        id: ++this.#requests,
        method,
        params: { ...params, _meta: modernMeta },
      },
      ...sent,
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(named === undefined ? {} : { 'mcp-name': named }),
        ...sent.headers,
      },
    });
  }

  /** The handshake of the 2025 era; answers the id of the session. */
  async begin(sent: Sent & { readonly hello?: object } = {}): Promise<string> {
    const { hello, ...rest } = sent;
    const params = { ...legacyHello, ...hello };
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    const response = await this.send({ body, ...rest });
    await response.text();
    const session = response.headers.get('mcp-session-id') ?? '';
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await this.send({ ...rest, body: initialized, session });
    return session;
  }
}

/** An event as it stands in a stream. */
export interface ServerEvent {
  readonly id?: string;
  readonly message?: WireMessage;
}

/** The events of a stream, as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let half = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const blocks = (half + decoder.decode(chunk, { stream: true })).split('\n\n');
    half = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string | undefined =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const [id, data = ''] = [field('id'), field('data')];
      yield {
        ...(id === undefined ? {} : { id }),
        ...(data === '' ? {} : { message: JSON.parse(data) as WireMessage }),
      };
    }
  }
}

/** All messages of an answer, whichever form it has. */
export async function messagesIn(response: Response): Promise<readonly WireMessage[]> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text();
    return text === '' ? [] : [JSON.parse(text) as WireMessage].flat();
  }
  const messages: WireMessage[] = [];
  for await (const { message } of eventsOf(response)) if (message) messages.push(message);
  return messages;
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function answerIn(messages: readonly WireMessage[]): WireMessage {
  const answer = messages.find(({ method }) => method === undefined);
  if (answer === undefined) throw new Error('There was no answer.');
  return answer;
}
