import { lookup } from 'node:dns/promises';
import type { EventEmitter } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { limits } from '../../base/limits.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { ClientDocuments, FetchedDocument } from '../../oauth/ports/client-documents.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { connectToAddresses } from './connect-to-addresses.ts';
import { isPublicAddress } from './public-addresses.ts';

/** What fetching needs of the system; the tests have their own. */
interface FetchParts {
  /** All addresses of a name. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** Begins a TCP connection to the first of these addresses that answers. */
  readonly connect?: typeof connectToAddresses;
  /** The addresses of this machine. */
  readonly ownAddresses?: () => readonly string[];
  readonly timers?: Timers;
  /** The certificate authorities to trust, in PEM; those of Node if absent. */
  readonly ca?: string;
}

const jsonType = /^application\/(?:json|[a-z0-9!#$&^_.-]+\+json)\s*(?:;|$)/i;

/** What is wrong, in a sentence for the owner. */
class FetchProblem extends Error {}

/**
 * Fetches documents from the public internet, and from nowhere else: a client must not make this server
 * talk to machines in its own network. The name is looked up once, and the connection goes to the
 * addresses that were checked. No redirects, no proxies, no cookies.
 */
export function clientDocuments(parts: FetchParts = {}): ClientDocuments {
  const { timers = nodeTimers } = parts;
  return {
    fetch: async (url) => {
      const abort = new AbortController();
      const stop = timers.after(limits.clientDocumentMs, () => abort.abort());
      try {
        return await Promise.race([fetchDocument(url, parts, abort.signal), aborted(abort.signal)]);
      } catch (error) {
        return { message: messageOf(error, abort.signal) };
      } finally {
        stop();
        // Whatever still runs, such as the reading of a long answer, ends here.
        abort.abort();
      }
    },
  };
}

async function fetchDocument(
  url: string,
  parts: FetchParts,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol !== 'https:' || port !== '') throw new FetchProblem('Its address is not allowed.');
  const addresses = await publicAddresses(hostname, parts);
  signal.throwIfAborted();
  const socket = (parts.connect ?? connectToAddresses)({ addresses, port: 443 });
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await documentFrom(await secured(socket, hostname, parts.ca), { hostname, pathname });
  } finally {
    socket.destroy();
  }
}

/** The addresses of a name. Fails unless all are public: the connection may go to any of them. */
async function publicAddresses(name: string, parts: FetchParts): Promise<readonly string[]> {
  const addresses = await (parts.lookup ?? lookUp)(name).catch(() => []);
  if (addresses.length === 0) throw new FetchProblem('Its host could not be found.');
  const own = (parts.ownAddresses ?? interfaceAddresses)();
  if (addresses.every((address) => isPublicAddress(address, own))) return addresses;
  throw new FetchProblem('Its host is not on the public internet.');
}

/** The TLS connection over this one, after the certificate was verified. */
async function secured(socket: Socket, name: string, ca: string | undefined): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    servername: name,
    ALPNProtocols: ['http/1.1'],
    // Said here so that no environment variable can switch it off.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  socket.on('error', (error) => secure.destroy(error));
  await eventOf(secure, 'secureConnect');
  return secure;
}

async function documentFrom(
  socket: TLSSocket,
  { hostname, pathname }: { readonly hostname: string; readonly pathname: string },
): Promise<FetchedDocument> {
  const sent = request({
    // With a connection of its own, a request uses no agent, and so no proxy.
    createConnection: () => socket,
    host: hostname,
    path: pathname,
    headers: { host: hostname, accept: 'application/json', 'accept-encoding': 'identity' },
    maxHeaderSize: limits.clientDocumentHeadBytesMax,
  });
  sent.end();
  const answer = (await eventOf(sent, 'response')) as IncomingMessage;
  const { statusCode, headers } = answer;
  if (statusCode !== 200) throw new FetchProblem(`Its host answered with status ${statusCode}.`);
  const coding = headers['content-encoding'] ?? 'identity';
  if (!jsonType.test(headers['content-type'] ?? '') || coding !== 'identity') {
    throw new FetchProblem('Its host answered with something else than JSON.');
  }
  const json = parsed(await bodyOf(answer));
  const maxAgeMs = maxAgeOf(headers['cache-control'] ?? '');
  return maxAgeMs === undefined ? { json } : { json, maxAgeMs };
}

async function bodyOf(answer: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > limits.clientDocumentBytesMax) throw new FetchProblem('It is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new FetchProblem('It is not valid JSON.');
  }
}

/** How long the host allows the document to be kept; undefined when it says nothing. */
function maxAgeOf(cacheControl: string): number | undefined {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
  const seconds = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(cacheControl)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function messageOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof FetchProblem) return error.message;
  if (signal.aborted) return 'Its host did not answer in time.';
  const { code = '' } = error as NodeJS.ErrnoException;
  const isCertificate = /CERT|SIGNATURE|ERR_TLS/.test(code);
  return isCertificate
    ? 'The certificate of its host is not valid.'
    : 'The connection to its host failed.';
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function lookUp(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}

function interfaceAddresses(): readonly string[] {
  try {
    return Object.values(networkInterfaces()).flatMap((all = []) => all.map((one) => one.address));
  } catch {
    // Some systems (Android) do not list them.
    return [];
  }
}

/**
 * What comes with an event. Fails with the error that comes before it, or when nothing more comes.
 * Later errors are ignored: whoever reads on gets them as well.
 */
function eventOf(emitter: EventEmitter, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    emitter.once(event, resolve);
    emitter.on('error', reject);
    emitter.once('close', () => reject(new Error('The connection was closed.')));
  });
}
