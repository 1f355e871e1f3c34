import { RawClient } from '../support/raw-http.ts';
import { legacyHello, modernMeta, type WireMessage } from '../support/stdio-process.ts';

/** A request as an intruder writes it. What is not given is what an honest client sends. */
export interface Knock {
  readonly line?: string;
  /** The lines of its Host; the address of the server unless given. */
  readonly hosts?: readonly string[];
  /** Further lines of its head. */
  readonly headers?: readonly string[];
  /** Text is sent as it is, all else as JSON. */
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly session?: string | undefined;
}

/** A message of the protocol of 2025, or of 2026-07-28. */
export interface Ask extends Omit<Knock, 'line' | 'body'> {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly era?: '2025' | '2026';
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /**
   * All of it in one line: the status, then `ok` and the result, `isError` and its text, or the
   * code of JSON-RPC and the message. "closed" when there was no answer.
   */
  readonly line: string;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What harms nothing, and is refused all the same where it may not come in. */
export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
export const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: legacyHello };

/** Where a server is that says its address. */
export function addressOf(url: string): Address {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** The bytes of a request. */
export function requestText(address: Address, knock: Knock = {}): string {
  const { line = 'POST /mcp HTTP/1.1', headers = [], body, token, session } = knock;
  const { hosts = [`Host: ${address.host}:${address.port}`] } = knock;
  const isPost = line.startsWith('POST ');
  const text = typeof body === 'string' ? body : isPost ? JSON.stringify(body ?? ping) : '';
  const says = (name: string): boolean =>
    headers.some((header) => header.toLowerCase().startsWith(`${name}:`));
  const isMeasured = says('content-length') || says('transfer-encoding');
  return [
    line,
    ...hosts,
    ...(isPost && !says('content-type') ? ['Content-Type: application/json'] : []),
    ...(says('accept') ? [] : [`Accept: ${isPost ? 'application/json' : 'text/event-stream'}`]),
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(session === undefined ? [] : [`Mcp-Session-Id: ${session}`]),
    ...(text === '' || isMeasured ? [] : [`Content-Length: ${Buffer.byteLength(text)}`]),
    ...(says('connection') ? [] : ['Connection: close']),
    ...headers,
    '',
    Buffer.from(text).toString('latin1'),
  ].join('\r\n');
}

/** Sends a request on a connection of its own, and reads until the server closes it. */
export async function knock(address: Address, request: Knock = {}): Promise<Answer> {
  const client = new RawClient(address).send(requestText(address, request));
  return readAnswer(await client.all());
}

/** Sends a message of the protocol. */
export function ask(address: Address, { method, params = {}, era, ...rest }: Ask): Promise<Answer> {
  const [id, jsonrpc] = [1, '2.0'];
  if (era !== '2026') {
    return knock(address, { ...rest, body: { jsonrpc, id, method, params } });
  }
  const named = params['name'] ?? params['uri'];
  return knock(address, {
    ...rest,
    body: { jsonrpc, id, method, params: { ...params, _meta: modernMeta } },
    headers: [
      'Mcp-Protocol-Version: 2026-07-28',
      `Mcp-Method: ${method}`,
      ...(named === undefined ? [] : [`Mcp-Name: ${named}`]),
      ...(rest.headers ?? []),
    ],
  });
}

/** Begins a session; answers its id. */
export async function beginSession(address: Address, token?: string): Promise<string> {
  const { headers } = await knock(address, { body: hello, token });
  return headers.get('mcp-session-id') ?? '';
}

/** What was received on a connection, as the first answer on it. */
export function readAnswer(received: string): Answer {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: new Headers(), body: '', line: 'closed' };
  const [first = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const rest = received.slice(end + 4);
  const whole = headers.get('transfer-encoding') === 'chunked' ? joinChunks(rest) : rest;
  const body = Buffer.from(whole, 'latin1').toString();
  const status = Number(first.split(' ')[1]);
  return { status, headers, body, line: `${status} ${wordsOf(body)}`.trim() };
}

function wordsOf(body: string): string {
  if (!body.startsWith('{')) return body;
  const { error, result = JSON.parse(body) as WireMessage['result'] } = JSON.parse(
    body,
  ) as WireMessage;
  if (error !== undefined) return `${error.code} ${error.message}`;
  const [content] = (result?.['content'] ?? []) as readonly { readonly text?: string }[];
  return result?.['isError'] === true ? `isError ${content?.text}` : `ok ${JSON.stringify(result)}`;
}

function joinChunks(text: string): string {
  const [, size = '0'] = /^([\da-f]+)\r\n/i.exec(text) ?? [];
  const length = Number.parseInt(size, 16);
  const start = size.length + 2;
  const chunk = text.slice(start, start + length);
  return length === 0 ? '' : chunk + joinChunks(text.slice(start + length + 2));
}
