import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { tempFolder } from '../../support/temp-folder.ts';

/** A certificate with its key, in PEM. */
interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that lives as long as a test. */
export interface TestAuthority {
  /** Its own certificate, in PEM. */
  readonly ca: string;
  /** Makes a certificate for these names, which ends after so many days. */
  certify(names: readonly string[], days?: number): Promise<Certificate>;
}

const run = promisify(execFile);

/** Makes a certificate authority with the `openssl` of the machine. */
export async function testAuthority(onFinished: (end: () => void) => void): Promise<TestAuthority> {
  const folder = tempFolder({}, onFinished);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const root = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test', '-days', '2'];
  await openssl('req', '-x509', ...newKey, ...root);
  let count = 0;
  return {
    ca: read('ca.pem'),
    certify: async (names, days = 1) => {
      const name = `leaf${++count}`;
      const out = ['-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=leaf'];
      const alt = `subjectAltName=${names.map((one) => `DNS:${one}`).join(',')}`;
      await openssl('req', ...newKey, ...out, '-addext', alt);
      const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-copy_extensions', 'copy'];
      await openssl('x509', '-req', ...signing, ...files, '-days', String(days));
      return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
    },
  };
}

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
export async function startTlsHost(certificate: Certificate): Promise<TlsHost> {
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
