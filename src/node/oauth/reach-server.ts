import { lookup } from 'node:dns/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls';
import { VaultError } from '../../base/vault-error.ts';
import type { Patience } from './ask-server.ts';

/** How the server behind a public URL was reached. */
export interface ReachedServer {
  /** All addresses that its name has, as this machine sees them. */
  readonly addresses: readonly string[];
  /** The address that the connection was made to. */
  readonly address: string;
  /** Absent without TLS. */
  readonly certificate?: SeenCertificate;
}

/** The certificate that a server shows. */
export interface SeenCertificate {
  /** Why this machine does not trust it, as a code of OpenSSL or Node; absent when it does. */
  readonly problem?: string;
  readonly isForThisName: boolean;
  /** The names that it is for, as they are written in it. */
  readonly names: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Looks up the name in a URL, connects, and answers the certificate without judging it, so that every
 * fault can be named. Nothing is sent. `ca` has certificates to trust instead of those of Node. Fails
 * with the error of the look-up or the connection, or with `timeout` when one of them takes longer than
 * `askMs`.
 */
export async function reachServer(
  url: URL,
  { signal, askMs, ca }: Patience & { readonly ca?: string },
): Promise<ReachedServer> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const found = await inTime(lookup(host, { all: true }), { signal, askMs });
  const socket = isSecure
    ? connectTls({
        host,
        port,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(ca === undefined ? {} : { ca }),
        // The handshake goes on with a bad certificate, because its faults are what is looked for.
        rejectUnauthorized: false,
      })
    : connectPlain({ host, port });
  try {
    await inTime(connected(socket, isSecure ? 'secureConnect' : 'connect'), { signal, askMs });
    return {
      addresses: found.map(({ address }) => address),
      address: socket.remoteAddress ?? '',
      ...(isSecure ? { certificate: certificateOf(socket as TLSSocket, host) } : {}),
    };
  } finally {
    socket.destroy();
  }
}

function connected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('The connection was closed.')));
  });
}

function inTime<T>(work: Promise<T>, { signal, askMs }: Patience): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = AbortSignal.any([signal, AbortSignal.timeout(askMs)]);
    const stop = (): void => {
      const code = signal.aborted ? 'cancelled' : 'timeout';
      reject(new VaultError(code, `There was no answer in ${askMs / 1000} seconds.`));
    };
    if (end.aborted) stop();
    end.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject);
  });
}

function certificateOf(socket: TLSSocket, host: string): SeenCertificate {
  const peer = socket.getPeerCertificate();
  // Node's types say that this is an Error; it is the code of one.
  const problem = socket.authorized ? undefined : String(socket.authorizationError);
  return {
    ...(problem === undefined ? {} : { problem }),
    isForThisName: checkServerIdentity(host, peer) === undefined,
    names: peer.subjectaltname ?? peer.subject?.CN?.toString() ?? '',
    fromMs: Date.parse(peer.valid_from),
    untilMs: Date.parse(peer.valid_to),
  };
}
