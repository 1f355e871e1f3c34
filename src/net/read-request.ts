import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hostNameOf } from './host-name.ts';
import type { Refusal, RequestHead } from './http-handler.ts';

/** The head of a request that can be understood in only one way. */
export interface ClearHead {
  readonly head: RequestHead;
  readonly url: URL;
  /** The length of the body that is announced; undefined when the body comes in chunks. */
  readonly bodyBytes: number | undefined;
  /**
   * Whether the connection must be closed after this request: the client asked to change protocol.
   */
  readonly isLast: boolean;
}

/**
 * Reads the head of a request. Refuses a head that two servers could understand differently (which
 * Host, how long a body): otherwise a request could be smuggled past a proxy or past our own
 * checks.
 */
export function readHead(request: IncomingMessage): ClearHead | Refusal {
  const { method = '', httpVersion, rawHeaders } = request;
  if (/^(?:TRACE|TRACK|CONNECT)$/.test(method)) {
    return { status: 501, message: `This server does not know the method ${method}.` };
  }
  const headers = new Headers();
  const hosts: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    if (name.toLowerCase() === 'host') hosts.push(value);
    headers.append(name, value);
  }
  const [host = ''] = hosts;
  if (hosts.length !== 1 || hostNameOf(host) === undefined) return unclear('one Host header');
  const url = requestUrl(request.url ?? '', host);
  if (url === undefined) return unclear('one path, on the host of its Host header');
  const coding = headers.get('transfer-encoding');
  if (coding !== null && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
    return {
      status: 501,
      message: 'Send the body whole or in chunks; no other transfer encoding is supported.',
    };
  }
  // A client that offers to change to HTTP/2 also accepts an answer in HTTP/1.1. Clients that ask
  // for any other protocol (such as WebSocket) cannot be served.
  const upgrade = headers.get('upgrade');
  if (upgrade !== null && upgrade.toLowerCase() !== 'h2c') {
    return {
      status: 400,
      message: 'This server speaks only HTTP/1.1 and cannot change to another protocol.',
    };
  }
  const bodyBytes = coding === null ? Number(headers.get('content-length') ?? 0) : undefined;
  if (bodyBytes !== 0 && (method === 'GET' || method === 'HEAD')) {
    return { status: 400, message: `A ${method} request must not have a body.` };
  }
  const head = { method, path: url.pathname, headers, address: peerAddress(request.socket) };
  return { head, url, bodyBytes, isLast: upgrade !== null };
}

/**
 * The IP address of the client; IPv4 addresses are written without the `::ffff:` of IPv6 sockets.
 */
export function peerAddress(socket: Socket): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** The URL of a request; undefined when its target is not a path, or is on another host. */
function requestUrl(target: string, host: string): URL | undefined {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (absolute !== null && absolute[1]?.toLowerCase() !== host.toLowerCase()) return undefined;
  const path = absolute === null ? target : absolute[2] || '/';
  const text = `http://${host}${path}`;
  return path.startsWith('/') && URL.canParse(text) ? new URL(text) : undefined;
}

function unclear(wanted: string): Refusal {
  return { status: 400, message: `A request must have exactly ${wanted}.` };
}

/**
 * Reads the body of a request into memory. Answers with a refusal as soon as the body is larger
 * than `bytesMax`, or when `hold` says that there is no room for the next piece. Undefined when the
 * client left before the end of the body.
 */
export function readBody(
  request: IncomingMessage,
  options: { readonly bytesMax: number; readonly hold: (bytes: number) => boolean },
): Promise<Uint8Array<ArrayBuffer> | Refusal | undefined> {
  const { bytesMax, hold } = options;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const settle = (result: Uint8Array<ArrayBuffer> | Refusal | undefined): void => {
      request.off('data', take).off('end', complete).off('close', leave);
      resolve(result);
    };
    const take = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > bytesMax) settle(bodyTooLarge(bytesMax));
      else if (hold(piece.length)) pieces.push(piece);
      else settle(tooManyBodies);
    };
    const complete = (): void => settle(Buffer.concat(pieces));
    const leave = (): void => settle(undefined);
    request.on('data', take).on('end', complete).on('close', leave);
    // An error is always followed by `close`, which settles.
    request.on('error', () => undefined);
  });
}

/** The refusal of a body that is larger than `bytesMax`. */
export function bodyTooLarge(bytesMax: number): Refusal {
  if (bytesMax === 0) {
    return { status: 413, message: 'This address accepts no body. Send the request without one.' };
  }
  return {
    status: 413,
    message: `The body of this request is larger than ${bytesMax} bytes, the most that this address accepts. Send less at once.`,
  };
}

const tooManyBodies: Refusal = {
  status: 503,
  message: 'The server is receiving too much at once. Try again in a second.',
  headers: { 'Retry-After': '1' },
};

/**
 * The refusal for a request that Node's HTTP parser could not read. Undefined when the connection
 * broke: then there is nobody to answer.
 */
export function parserRefusal(error: Error): Refusal | undefined {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request took too long to arrive.' };
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        message: 'The headers of this request are larger than this server accepts.',
      };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        status: 413,
        message: 'The chunk extensions of this request are longer than this server accepts.',
      };
    default:
      if (!code.startsWith('HPE_')) return undefined;
      return { status: 400, message: 'The server cannot read this as an HTTP/1.1 request.' };
  }
}
