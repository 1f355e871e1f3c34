import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { OwnCertificate } from './own-authority.ts';

/** A TLS server on loopback that says what a test wants, byte by byte. */
export interface TlsHost {
  /** The heads of the requests that came, and the name that each connection was made for. */
  readonly heads: string[];
  readonly names: (string | false)[];
  /** What is done when the head of a request has come. */
  answer: (socket: TLSSocket) => void;
  /** Connects to it, whatever it is called. */
  connect(): Socket;
  /** Resolves when no connection is left. */
  idle(): Promise<void>;
  close(): void;
}

/** Starts a TLS server with this certificate. */
export async function startTlsHost(certificate: OwnCertificate): Promise<TlsHost> {
  const sockets = new Set<Socket>();
  const server = createServer({ ...certificate });
  // A client that refuses the certificate ends the connection in the middle.
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host: TlsHost = {
    heads: [],
    names: [],
    answer: (socket) => socket.end(),
    connect: () => connect(port, '127.0.0.1'),
    idle: async () => {
      await Promise.all(Array.from(sockets, (socket) => once(socket, 'close')));
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  server.on('secureConnection', (socket) => {
    host.names.push(socket.servername ?? false);
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.endsWith('\r\n\r\n')) return;
      host.heads.push(head);
      host.answer(socket);
    });
  });
  return host;
}
