import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { cutDebtors } from '../base/cut-debtors.ts';
import { limits as programLimits } from '../base/limits.ts';
import { faultOrigin, type Logger } from '../base/logger.ts';
import { cannotListen } from './cannot-listen.ts';
import { HttpConnection, type HttpLimits, type Shared } from './http-connection.ts';
import type { HttpHandler } from './http-handler.ts';
import { parserRefusal } from './read-request.ts';

export interface HttpListener {
  /** The address that it listens on. */
  readonly host: string;
  readonly port: number;
  /**
   * Takes no new requests, and resolves when those that run have been answered. After `graceMs`,
   * connections that are still open are cut.
   */
  close(graceMs: number): Promise<void>;
}

interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

type Connections = Map<Socket, HttpConnection>;

/**
 * Listens on a port and hands each request to the handler, with its whole body, a URL whose host is
 * the Host header, and a signal that is aborted when the client leaves before the answer is
 * complete. Fails with `unavailable` when it cannot listen. `limits` replaces single limits, for
 * tests.
 */
export async function listenHttp(
  options: ListenPlace & {
    readonly handler: HttpHandler;
    readonly logger: Logger;
    readonly limits?: Partial<HttpLimits>;
  },
): Promise<HttpListener> {
  const { host, port, handler, logger } = options;
  const limits = { ...programLimits, ...options.limits };
  const connections: Connections = new Map();
  const shared: Shared = {
    handler,
    logger,
    limits,
    requests: 0,
    bodyBytes: 0,
    isClosing: false,
    spare: new Set(),
    onUnread: () =>
      cutDebtors(connections.values(), {
        bytesMax: limits.httpUnreadAllBytesMax,
        cutOff: (connection) => connection.cutOff(),
      }),
  };
  const server = createHttpServer(limits);
  acceptConnections(server, connections, shared);
  passRequests(server, connections);
  await startListening(server, { host, port, backlog: limits.httpConnectionsMax });
  // For example too many open files when a client connects; the server goes on.
  server.on('error', (error) => logger.log('error', 'http listener', faultOrigin(error)));

  const looking = setInterval(() => {
    const nowMs = performance.now();
    for (const connection of connections.values()) connection.look(nowMs);
  }, limits.httpLookMs);
  looking.unref();
  server.once('close', () => clearInterval(looking));
  const address = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    host: address.address,
    port: address.port,
    close(graceMs) {
      shared.isClosing = true;
      closed ??= closeServer(server, connections, graceMs);
      return closed;
    },
  };
}

function createHttpServer(limits: HttpLimits): Server {
  const server = createServer({
    // Set here because NODE_OPTIONS could switch it on: our parser and a proxy's must agree.
    insecureHTTPParser: false,
    // `readHead` checks the Host header, for every version of HTTP and with our own message.
    requireHostHeader: false,
    maxHeaderSize: limits.httpHeaderBytesMax,
    headersTimeout: limits.httpHeadMs,
    requestTimeout: limits.httpRequestMs,
    connectionsCheckingInterval: limits.httpLookMs,
    keepAliveTimeout: limits.httpIdleMs,
  });
  // With a limit, Node would silently drop the headers beyond it, perhaps those that a proxy added.
  server.maxHeadersCount = 0;
  server.timeout = limits.httpUnreadMs;
  // Node would close connections whose answers are still being sent. `HttpConnection.stop` closes
  // those that are idle.
  server.closeIdleConnections = () => undefined;
  return server;
}

/** Makes an `HttpConnection` for each socket, as long as there are fewer than the limit. */
function acceptConnections(server: Server, connections: Connections, shared: Shared): void {
  server.on('connection', (socket: Socket) => {
    // When all places are taken, the connection that has been idle for longest is closed. Node's
    // own limit would turn away the newcomer instead, so one client could hold all places for
    // hours. A limit for each address would treat everybody behind a proxy as one client.
    if (connections.size >= shared.limits.httpConnectionsMax) {
      const [spare] = shared.spare;
      if (spare === undefined) return void socket.destroy();
      spare.giveWay();
    }
    connections.set(socket, new HttpConnection(socket, shared));
    socket.once('close', () => connections.delete(socket));
    // After CONNECT, Node no longer listens for errors, and an unhandled one would end the process.
    socket.on('error', () => undefined);
  });
}

/** Passes what Node's server reports to the connection that it is about. */
function passRequests(server: Server, connections: Connections): void {
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
      message: 'This server is not a proxy and does not support CONNECT.',
    }),
  );
  server.on('clientError', (error, socket) => {
    const refusal = parserRefusal(error);
    if (refusal === undefined) socket.destroy();
    else connections.get(socket as Socket)?.fail(refusal);
  });
  server.on('timeout', (socket) => connections.get(socket)?.quiet());
}

async function startListening(
  server: Server,
  { host, port, backlog }: ListenPlace & { readonly backlog: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // By default only 511 may connect at once; the next would try again after a second or three.
    server.listen({ host, port, backlog }, resolve);
  }).catch((error: unknown) => {
    throw cannotListen(error, { host, port });
  });
  server.removeAllListeners('error');
}

function closeServer(server: Server, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    for (const connection of connections.values()) connection.stop();
  });
}
