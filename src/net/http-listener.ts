import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Visitor } from '../base/caller.ts';
import type { Logger } from '../base/logger.ts';
import { faultOrigin } from '../base/logger.ts';
import { HttpConnection, type Shared } from './http-connection.ts';
import { type HttpLimits, httpLimits } from './http-limits.ts';
import { cannotListen } from './listen-error.ts';
import { refusalOf } from './protocol-error.ts';

/** What a request says before its body. */
export interface RequestHead {
  readonly method: string;
  /** The path of its address, without the query. */
  readonly path: string;
  readonly headers: Headers;
  /** The address of the peer, which may be a proxy. */
  readonly address: string;
}

/** Why a request is not served, for a door to put in its own words. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a listener needs of the doors behind it. */
export interface HttpHandler {
  /**
   * Before the body is read: a Response refuses (its answer then closes the connection), a Visitor
   * comes in.
   */
  readonly admit: (head: RequestHead) => Promise<Response | Visitor> | Response | Visitor;
  /** How much body this request may have. */
  readonly bodyBytesMax: (head: RequestHead) => number;
  /** The door. A throw is a 500 without details, told to the log. */
  readonly handle: (request: Request, visitor: Visitor) => Promise<Response>;
  /** An answer of the listener itself (413, 408, 431, 503 …) in the words of this door. */
  readonly refuse: (refusal: Refusal) => Response;
}

export interface HttpListener {
  /** The address and port that it listens on. */
  readonly host: string;
  readonly port: number;
  /** No new requests; resolves when what runs has been answered, or after graceMs, when all is cut. */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens and turns what comes into web requests, each with its whole body, a URL whose host is the
 * Host header, and a signal that is aborted when the client leaves before its answer is complete.
 * Fails with `unavailable` when it cannot listen.
 */
export async function listenHttp(options: {
  readonly host: string;
  readonly port: number;
  readonly handler: HttpHandler;
  readonly logger: Logger;
  readonly limits?: Partial<HttpLimits>;
}): Promise<HttpListener> {
  const { host, port, handler, logger } = options;
  const limits = httpLimits(options.limits);
  const shared: Shared = {
    handler,
    logger,
    limits,
    requests: 0,
    bodyBytes: 0,
    isClosing: false,
    spare: new Set(),
  };
  const connections = new Map<Socket, HttpConnection>();

  const server = createServer({
    // Never what NODE_OPTIONS may say: two readers of one request must not disagree.
    insecureHTTPParser: false,
    // It is asked for in our own words, for every version of HTTP.
    requireHostHeader: false,
    maxHeaderSize: limits.httpHeaderBytesMax,
    headersTimeout: limits.httpHeadMs,
    requestTimeout: limits.httpRequestMs,
    connectionsCheckingInterval: limits.httpLookMs,
    keepAliveTimeout: limits.httpIdleMs,
  });
  // Beyond a number of headers Node leaves them out without a word, those of a proxy among them.
  server.maxHeadersCount = 0;
  server.timeout = limits.httpUnreadMs;
  // Node would cut answers that are still being sent; each connection knows whether it is idle.
  server.closeIdleConnections = () => undefined;

  server.on('connection', (socket: Socket) => {
    // Not Node's limit, which turns away who comes last: one client could hold all places for hours
    // and ask for nothing. A limit for each address would take all behind a proxy for one.
    if (connections.size >= limits.httpConnectionsMax) {
      const [spare] = shared.spare;
      if (spare === undefined) return void socket.destroy();
      spare.giveWay();
    }
    connections.set(socket, new HttpConnection(socket, shared));
    socket.once('close', () => connections.delete(socket));
    // After CONNECT Node does not listen any more, and an error without a listener ends the process.
    socket.on('error', () => undefined);
  });
  server.on('request', (request, response) =>
    connections.get(request.socket)?.take({ request, response }),
  );
  server.on('checkContinue', (request, response) =>
    connections.get(request.socket)?.take({ request, response, wantsContinue: true }),
  );
  server.on('checkExpectation', (request) => {
    request.resume();
    connections.get(request.socket)?.fail({
      status: 417,
      message: 'The only expectation that this server knows is "Expect: 100-continue".',
    });
  });
  server.on('connect', (request) =>
    connections.get(request.socket)?.fail({
      status: 501,
      message: 'This server is no proxy: it takes no CONNECT.',
    }),
  );
  server.on('clientError', (error, socket) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) socket.destroy();
    else connections.get(socket as Socket)?.fail(refusal);
  });
  server.on('timeout', (socket) => connections.get(socket)?.quiet());

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  }).catch((error: unknown) => {
    throw cannotListen(error, { host, port });
  });
  // Such as too many open files while accepting: the next one may find a place again.
  server.removeAllListeners('error');
  server.on('error', (error) => logger.log('error', 'http listener', faultOrigin(error)));

  const address = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    host: address.address,
    port: address.port,
    close(graceMs) {
      closed ??= new Promise((resolve) => {
        shared.isClosing = true;
        const cut = setTimeout(() => {
          for (const socket of connections.keys()) socket.destroy();
        }, graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        for (const connection of connections.values()) connection.stop();
      });
      return closed;
    },
  };
}
