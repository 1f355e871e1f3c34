import { cpSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Logger } from '../../../src/base/logger.ts';
import { readServeOptions, type ServeOptions } from '../../../src/cli/options/serve-options.ts';
import { serverToolsets } from '../../../src/cli/options/server-toolsets.ts';
import { serveHttp } from '../../../src/cli/servers/serve-http.ts';
import type { SignInStart } from '../../../src/cli/servers/serve-text.ts';
import { openSignInBooks } from '../../../src/cli/vaults/server-files.ts';
import { WaitingVault } from '../../../src/cli/vaults/waiting-vault.ts';
import { type HttpListener, listenHttp } from '../../../src/net/http-listener.ts';
import { nodeOAuthCrypto } from '../../../src/node/oauth/node-oauth-crypto.ts';
import { nodeClock, nodeTimers } from '../../../src/node/system/node-ports.ts';
import { type Issuer, issuerOf } from '../../../src/oauth/grants/issuer.ts';
import { OwnerSignIn } from '../../../src/oauth/owner/owner-sign-in.ts';
import type {
  ClientDocuments,
  FetchedDocument,
} from '../../../src/oauth/ports/client-documents.ts';
import type { Grant, OAuthBook } from '../../../src/oauth/ports/oauth-book.ts';
import type { OAuthCrypto } from '../../../src/oauth/ports/oauth-crypto.ts';
import type { OwnerBook } from '../../../src/oauth/ports/owner-book.ts';
import type { TokenBook } from '../../../src/oauth/ports/token-book.ts';
import { createService } from '../../../src/tools/service/service.ts';
import { passphrase, type ReachedDoor } from '../../support/sign-in-door.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openWrittenFolder } from '../../support/written-vault.ts';

const example = fileURLToPath(new URL('../../../examples/vault', import.meta.url));
const cost = { n: 16, r: 1, p: 1 };

/** What a program or a browser sends, byte by byte where a test wants it. */
export interface Sent {
  readonly method?: string;
  /** With its query, as it is to stand in the first line of the request. */
  readonly path: string;
  /** A list is sent as several headers of that name; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface SignInServerOptions {
  /** The public addresses; the first one is where requests go unless they say otherwise. */
  readonly urls?: readonly string[];
  /** Further arguments of `vaultdoor serve`. */
  readonly args?: readonly string[];
  /** Without an owner when false. */
  readonly hasOwner?: boolean;
  /** Fetches the documents of unknown clients; otherwise none can be had. */
  readonly documents?: ClientDocuments;
  /** Randomness, hashes and signatures, for a test that counts or holds them. */
  readonly crypto?: OAuthCrypto;
  /** Where the server ends: a test that shares one among several gives `afterAll`. */
  readonly onFinished?: (end: () => unknown) => void;
}

/** What a start of the server depends on; what is absent is as at the start before. */
type StartOptions = Pick<SignInServerOptions, 'urls' | 'args'> & {
  /** The folders of the vaults that the server says it serves. */
  readonly folders?: readonly string[];
};

/**
 * `vaultdoor serve` in this process over real sockets, at a public address, as behind a proxy: the
 * program's own handler, doors and file books, over a copy of the example vault. Only its clock, the
 * cost of a passphrase and the fetching of documents are the test's.
 */
export class SignInServer implements ReachedDoor {
  readonly clock: { nowMs: number } = { nowMs: Date.now() };
  /** Each line of the log as JSON, from all starts. */
  readonly log: string[] = [];
  /** The addresses of documents that were asked for. */
  readonly fetched: string[] = [];
  readonly vault: string;
  readonly env: Readonly<Record<string, string>>;
  readonly books: { readonly oauth: OAuthBook; readonly owner: OwnerBook };
  readonly owner: OwnerSignIn;
  /** For `TestBrowser` and `postAsProgram`: they reach the server through the socket. */
  readonly door: ReachedDoor['door'] = { handle: (request) => this.#pass(request) };
  issuer: Issuer;
  readonly #waiting: WaitingVault;
  readonly #documents: ClientDocuments | undefined;
  readonly #crypto: OAuthCrypto | undefined;
  #running: Running | undefined;
  #started: StartOptions = {};

  private constructor(parts: {
    readonly vault: string;
    readonly waiting: WaitingVault;
    readonly state: string;
    readonly options: SignInServerOptions;
  }) {
    const { urls = publicUrls, documents } = parts.options;
    this.vault = parts.vault;
    this.#waiting = parts.waiting;
    this.#documents = documents;
    this.#crypto = parts.options.crypto;
    this.env = { XDG_STATE_HOME: parts.state, XDG_CACHE_HOME: parts.state, HOME: parts.state };
    this.issuer = issuerAt(urls);
    this.books = openSignInBooks(this.env);
    this.owner = new OwnerSignIn({
      book: this.books.owner,
      crypto: nodeOAuthCrypto,
      nowMs: () => this.clock.nowMs,
      cost,
      names: [this.issuer.host],
    });
  }

  /** Starts one, which ends with the test. */
  static async start(options: SignInServerOptions = {}): Promise<SignInServer> {
    const { onFinished = onTestFinished } = options;
    const ends: (() => unknown)[] = [];
    onFinished(async () => {
      for (const end of ends.reverse()) await end();
    });
    const onEnd = (end: () => unknown): void => void ends.push(end);
    const [vault, state] = [tempFolder({}, onEnd), tempFolder({}, onEnd)];
    cpSync(example, vault, { recursive: true });
    const { whole } = await openWrittenFolder(vault);
    const waiting = new WaitingVault({
      name: 'notes',
      clock: nodeClock,
      timers: nodeTimers,
      look: async () => undefined,
      open: () => whole,
    });
    await waiting.open();
    onEnd(() => waiting.close());
    const server = new SignInServer({ vault, waiting, state, options });
    onEnd(() => server.stop());
    if (options.hasOwner !== false) await server.owner.setPassphrase(passphrase);
    const { urls = publicUrls, args = [] } = options;
    await server.#listen({ urls, args });
    return server;
  }

  /** Ends this start and begins another over the same books, with the same clock. */
  async restart(options: StartOptions = {}): Promise<void> {
    await this.stop();
    await this.#listen({ ...this.#started, ...options });
  }

  async stop({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await Promise.all([running?.listener.close(graceMs), running?.close(graceMs)]);
  }

  get port(): number {
    return this.#run.listener.port;
  }

  /** The static tokens of the vault. */
  get tokens(): TokenBook {
    return this.#run.tokens;
  }

  /** What the server would print when it starts; it makes a set-up code while there is no owner. */
  async printed(): Promise<SignInStart | undefined> {
    return this.#run.printed();
  }

  /** Sends a request as it is, without following redirects. Host is that of the public address. */
  send({ method = 'GET', path, headers = {}, body, signal }: Sent): Promise<Response> {
    const said = Object.entries({ host: this.issuer.host, ...headers }).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => [name, one]),
    );
    const length = body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))];
    return new Promise((resolve, reject) => {
      const { port } = this;
      const options = { host: '127.0.0.1', port, method, path, agent: false };
      const sending = httpRequest({ ...options, ...(signal === undefined ? {} : { signal }) });
      for (const [name, values] of grouped([...said, ...length])) sending.setHeader(name, values);
      if (said.every((text, at) => at % 2 === 1 || text !== 'host')) sending.removeHeader('host');
      sending.once('response', (message) => resolve(responseOf(message, method)));
      sending.once('error', reject);
      sending.end(body);
    });
  }

  /** Posts a form, as a program does. */
  post(
    path: string,
    fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
    headers: Sent['headers'] = {},
  ): Promise<Response> {
    const rows = Array.isArray(fields) ? fields : Object.entries(fields);
    const body = new URLSearchParams(rows as [string, string][]).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send({ method: 'POST', path, body, headers: { ...type, ...headers } });
  }

  postJson(path: string, json: unknown, headers: Sent['headers'] = {}): Promise<Response> {
    const body = typeof json === 'string' ? json : JSON.stringify(json);
    const type = { 'content-type': 'application/json' };
    return this.send({ method: 'POST', path, body, headers: { ...type, ...headers } });
  }

  /** All grants in the book, ended ones too. */
  grants(): Promise<readonly Grant[]> {
    return this.books.oauth.grants();
  }

  /** Lets time pass for the server. */
  pass(ms: number): void {
    this.clock.nowMs += ms;
  }

  get #run(): Running {
    if (this.#running === undefined) throw new Error('The server does not run.');
    return this.#running;
  }

  async #listen(start: StartOptions): Promise<void> {
    this.#started = start;
    const { urls = publicUrls, args = [], folders = [this.vault] } = start;
    this.issuer = issuerOf(urls[0] ?? '') ?? this.issuer;
    const { env, vault } = this;
    const argv = ['--vault', vault, ...urls.flatMap((url) => ['--public-url', url]), ...args];
    const options = readServeOptions(argv, env);
    const logger: Logger = {
      log: (level, event, values) => this.log.push(JSON.stringify({ level, event, ...values })),
    };
    const vaults = [this.#waiting];
    const service = createService(vaults, await serverToolsets(options, ['notes']), nodeTimers);
    const server = {
      service,
      makeService: async (toolsets: ServeOptions['toolsets']) =>
        createService(
          vaults,
          await serverToolsets({ ...options, toolsets }, ['notes']),
          nodeTimers,
        ),
      logger,
      scopes: { effects: options.rights, folders: [], hide: [] },
      deadlineMs: () => options.deadlineMs,
      choices: folders.map((path) => ({ name: 'notes', path })),
      vaults,
    };
    const fetch = async (url: string): Promise<FetchedDocument> => {
      this.fetched.push(url);
      return this.#documents?.fetch(url) ?? { message: 'It could not be checked.' };
    };
    const nowMs = (): number => this.clock.nowMs;
    const { handler, mcp, book, signIn } = serveHttp({ env, version: '1.0.0' }, options, server, {
      nowMs,
      cost,
      documents: { fetch },
      ...(this.#crypto === undefined ? {} : { crypto: this.#crypto }),
      health: async () => 'ok',
    });
    const listener = await listenHttp({ host: '127.0.0.1', port: 0, handler, logger });
    this.#running = {
      listener,
      tokens: book,
      close: (graceMs) => mcp.close(graceMs),
      printed: async () => signIn?.start(),
    };
  }

  async #pass(request: Request): Promise<Response> {
    const { pathname, search, host } = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    return this.send({
      method: request.method,
      path: `${pathname}${search}`,
      headers: { host, ...Object.fromEntries(request.headers) },
      ...(body.length === 0 ? {} : { body }),
    });
  }
}

interface Running {
  readonly listener: HttpListener;
  readonly tokens: TokenBook;
  readonly close: (graceMs: number) => Promise<void>;
  readonly printed: () => Promise<SignInStart | undefined>;
}

const publicUrls: readonly string[] = ['https://vault.example.com'];

function issuerAt([url = '']: readonly string[]): Issuer {
  const issuer = issuerOf(url);
  if (issuer === undefined) throw new Error(`no issuer: ${url}`);
  return issuer;
}

function grouped(pairs: readonly string[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    all.set(name, [...(all.get(name) ?? []), pairs[at + 1] ?? '']);
  }
  return all;
}

/** The answer of a server as the web has it; its body comes as it is sent. */
function responseOf(message: IncomingMessage, method: string): Response {
  const headers = new Headers();
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '');
  }
  const { statusCode: status = 0 } = message;
  const hasNone = method === 'HEAD' || status === 204 || status === 304;
  if (hasNone) message.resume();
  // A stream that the server cuts ends with an error, which only its reader is to see.
  message.on('error', () => undefined);
  const body = hasNone ? null : (Readable.toWeb(message) as unknown as ReadableStream);
  return new Response(body, { status, headers });
}
