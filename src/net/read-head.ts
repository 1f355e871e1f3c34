import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hostNameOf } from './host-name.ts';
import type { Refusal, RequestHead } from './http-handler.ts';

/** A head that can be understood in one way only. */
export interface ClearHead {
  readonly head: RequestHead;
  readonly url: URL;
  /** How large its body will be, in bytes; undefined when it comes in chunks. */
  readonly bodyBytes: number | undefined;
  /** Whether what follows on this connection could be taken for something else than HTTP. */
  readonly isLast: boolean;
}

/**
 * Reads the head of a request. Refuses what two servers could understand in two ways (which Host,
 * how long a body), so that nothing can be smuggled past a proxy in front of us, or past our guard.
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
  const url = addressOf(request.url ?? '', host);
  if (url === undefined) return unclear('one path, on the host of its Host header');
  const coding = headers.get('transfer-encoding');
  if (coding !== null && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
    return { status: 501, message: 'A body may come whole or in chunks, in no other encoding.' };
  }
  // A client that would rather speak HTTP/2 is answered in HTTP/1.1, as it expects. Others want
  // a protocol that is not there.
  const upgrade = headers.get('upgrade');
  if (upgrade !== null && upgrade.toLowerCase() !== 'h2c') {
    return {
      status: 400,
      message: 'This server speaks nothing but HTTP/1.1: it takes no upgrade.',
    };
  }
  const bodyBytes = coding === null ? Number(headers.get('content-length') ?? 0) : undefined;
  if (bodyBytes !== 0 && (method === 'GET' || method === 'HEAD')) {
    return { status: 400, message: `A ${method} request has no body.` };
  }
  const head = { method, path: url.pathname, headers, address: peerAddress(request.socket) };
  return { head, url, bodyBytes, isLast: upgrade !== null };
}

/** Where a connection comes from; an IPv4 address is itself, whatever the socket calls it. */
export function peerAddress(socket: Socket): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** The address that a request is for; undefined when its target is none, or on another host. */
function addressOf(target: string, host: string): URL | undefined {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (absolute !== null && absolute[1]?.toLowerCase() !== host.toLowerCase()) return undefined;
  const path = absolute === null ? target : absolute[2] || '/';
  const text = `http://${host}${path}`;
  return path.startsWith('/') && URL.canParse(text) ? new URL(text) : undefined;
}

function unclear(wanted: string): Refusal {
  return { status: 400, message: `A request must have exactly ${wanted}.` };
}
