import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TinyTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a call is answered: a body as JSON, or a status and a body as it is; undefined is never. */
export type TinyAnswer =
  | { readonly json: unknown }
  | {
      readonly status: number;
      readonly body: string | Buffer;
      readonly headers?: Record<string, string>;
    };

/**
 * A tiny Bridge v1 server for tests of its clients: the least that the specification asks for, and
 * whatever a test wants to go wrong. It stays at its port when it is stopped and started again.
 */
export class TinyBridge {
  tools: readonly TinyTool[] = [];
  /** Everything it was asked, in order. */
  readonly seen: SeenRequest[] = [];
  /** How calls are answered; the tool's name and arguments as text unless a test says otherwise. */
  onCall: (
    name: string,
    args: unknown,
    request: IncomingMessage,
  ) => Promise<TinyAnswer> | TinyAnswer = (name, args) => text(`${name} ${JSON.stringify(args)}`);
  /** Answers everything in place of the rest; undefined leaves it to that. */
  instead: (path: string) => TinyAnswer | undefined = () => undefined;
  /** What newer servers have: entity tags, and a stream of news. */
  hasNews = false;
  /** Leaves those who ask for the list without an answer. */
  holdLists = false;
  port = 0;
  readonly #streams = new Set<ServerResponse>();
  #server: Server | undefined;

  static async start(tools: readonly TinyTool[] = [tool('read_note')]): Promise<TinyBridge> {
    const bridge = new TinyBridge();
    bridge.tools = tools;
    await bridge.start();
    onTestFinished(() => bridge.stop());
    return bridge;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** How many requests for the list it has seen. */
  get lists(): number {
    return this.seen.filter(({ path }) => path === '/bridge/v1/tools').length;
  }

  get streams(): number {
    return this.#streams.size;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  /** Cuts every connection, as the plugin does. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Other tools, and those who listen are told so. */
  change(tools: readonly TinyTool[]): void {
    this.tools = tools;
    for (const stream of this.#streams) stream.write('event: tools\ndata: {}\n\n');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.seen.push({ method, path: url, headers, body });
    const instead = this.instead(url);
    if (instead !== undefined) return send(response, instead);
    const path = url.replace('/bridge/v1', '');
    if (path === '/tools') return this.holdLists ? undefined : this.#list(request, response);
    if (path === '/tools/events' && this.hasNews) return this.#stream(response);
    const name = decodeURIComponent(/^\/tools\/([^/]+)\/call$/.exec(path)?.[1] ?? '');
    if (!this.tools.some((one) => one.name === name)) {
      return send(response, refusal(404, name === '' ? 'Not found' : 'Tool not found'));
    }
    const { arguments: args } = JSON.parse(body) as { readonly arguments: unknown };
    send(response, await this.onCall(name, args, request));
  }

  #list(request: IncomingMessage, response: ServerResponse): void {
    const hash = createHash('sha256').update(JSON.stringify(this.tools)).digest('hex');
    const etag = `"${hash}"`;
    const headers: Record<string, string> = this.hasNews ? { etag } : {};
    const isKnown = this.hasNews && request.headers['if-none-match'] === etag;
    const body = isKnown ? '' : JSON.stringify({ tools: this.tools, hash });
    send(response, { status: isKnown ? 304 : 200, body, headers });
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: tools\ndata: {}\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }
}

/** A tool as the specification shows one. */
export function tool(name: string, description = `What ${name} does`): TinyTool {
  return { name, description, inputSchema: { type: 'object', properties: {} } };
}

/** The answer of a tool that went well. */
export function text(said: string): TinyAnswer {
  return { json: { success: true, content: [{ type: 'text', text: said }] } };
}

/** An error of the server itself. */
export function refusal(status: number, message: string, details?: string): TinyAnswer {
  return { status, body: JSON.stringify({ error: message, message, details }) };
}

function send(response: ServerResponse, answer: TinyAnswer): void {
  const { status, body, headers } =
    'json' in answer ? { status: 200, body: JSON.stringify(answer.json), headers: {} } : answer;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
