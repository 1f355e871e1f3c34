import { createHash } from 'node:crypto';
import type { Right } from '../../src/base/caller.ts';
import { vaultFolder } from '../../src/base/vault-path.ts';
import { OAuthHttp } from '../../src/doors/oauth/oauth-http.ts';
import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import { Clients } from '../../src/oauth/clients/clients.ts';
import { Grants } from '../../src/oauth/grants/grants.ts';
import { type Issuer, issuerOf } from '../../src/oauth/grants/issuer.ts';
import { OwnerSignIn } from '../../src/oauth/owner/owner-sign-in.ts';
import { memoryBriefBooks } from '../../src/oauth/ports/brief-book.ts';
import type { FetchedDocument } from '../../src/oauth/ports/client-documents.ts';
import type { OAuthBook } from '../../src/oauth/ports/oauth-book.ts';
import { memoryOAuthBook } from './memory-oauth-book.ts';
import { type MemoryOwnerBook, memoryOwnerBook } from './memory-owner-book.ts';

const hourMs = 3_600_000;

export const passphrase = 'seven quiet herons by the weir';
export const verifier = 'v'.repeat(43);
export const challenge = createHash('sha256').update(verifier).digest('base64url');
export const claude = {
  id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  redirect: 'https://claude.ai/api/mcp/auth_callback',
};

/** The door for signing in over books in memory, with a clock that a test sets. */
export interface SignInDoor {
  readonly door: OAuthHttp;
  readonly clock: { nowMs: number };
  readonly grants: Grants;
  readonly owner: OwnerSignIn;
  readonly book: OAuthBook;
  readonly ownerBook: MemoryOwnerBook;
  readonly issuer: Issuer;
  /** Each line of the log as one text. */
  readonly log: string[];
  /** The addresses of documents that were fetched. */
  readonly fetched: string[];
}

/** The door as browsers and clients meet it: in this process, or at the end of a socket. */
export interface ReachedDoor {
  readonly door: Pick<OAuthHttp, 'handle'>;
  readonly issuer: Pick<Issuer, 'origin'>;
}

export interface SignInDoorOptions {
  readonly urls?: readonly string[];
  readonly rights?: readonly Right[];
  /** Without an owner when false. */
  readonly hasOwner?: boolean;
  readonly book?: OAuthBook;
  /** The door of an earlier start of the same server: its books and its clock are used again. */
  readonly after?: SignInDoor;
  readonly documents?: (url: string) => FetchedDocument;
  /** Makes the keys of a console; without one, there is no console. */
  readonly consoleKey?: () => Promise<string>;
}

export async function signInDoor(options: SignInDoorOptions = {}): Promise<SignInDoor> {
  const { after } = options;
  const clock = after?.clock ?? { nowMs: Date.UTC(2026, 10, 17, 12) };
  const nowMs = (): number => clock.nowMs;
  const ownerBook = after?.ownerBook ?? memoryOwnerBook();
  const { book = after?.book ?? memoryOAuthBook(), urls = ['https://vault.example.com'] } = options;
  const issuers = urls.flatMap((url) => issuerOf(url) ?? []);
  const [issuer] = issuers;
  if (issuer === undefined) throw new Error('no issuer');
  const [log, fetched]: [string[], string[]] = [[], []];
  const crypto = nodeOAuthCrypto;
  const documents = {
    fetch: async (url: string): Promise<FetchedDocument> => {
      fetched.push(url);
      return options.documents?.(url) ?? { message: 'It could not be checked.' };
    },
  };
  const clients = new Clients({ book, crypto, documents, nowMs });
  const accessMs = 24 * hourMs;
  const grants = new Grants({ book, crypto, nowMs, vaults: ['/v/notes'], issuers, accessMs });
  const owner = new OwnerSignIn({
    book: ownerBook,
    crypto,
    nowMs,
    cost: { n: 16, r: 1, p: 1 },
    names: issuers.map(({ host }) => host),
  });
  if (options.hasOwner !== false && after === undefined) await owner.setPassphrase(passphrase);
  const door = new OAuthHttp({
    issuers,
    clients,
    grants,
    owner,
    crypto,
    brief: memoryBriefBooks({ crypto, nowMs }),
    vaults: () => [{ name: 'notes', path: '/v/notes' }],
    rights: options.rights ?? ['read', 'write', 'destroy'],
    topFolders: async () => ['Projects', 'Recipes'],
    waiting: async () => 2,
    checkFolder: vaultFolder,
    logger: {
      log: (level, event, values) => log.push(JSON.stringify({ level, event, ...values })),
    },
    nowMs,
    version: '1.0.0',
    ...(options.consoleKey === undefined ? {} : { consoleKey: options.consoleKey }),
  });
  return { door, clock, grants, owner, book, ownerBook, issuer, log, fetched };
}

/** The query with which claude.ai begins; `undefined` leaves a parameter out. */
export function authorizeQuery(
  more: Readonly<Record<string, string | undefined>> = {},
): URLSearchParams {
  const params = {
    client_id: claude.id,
    redirect_uri: claude.redirect,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a b&c',
    ...more,
  };
  const said = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new URLSearchParams(said);
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A browser: it keeps cookies, and sends what browsers send with forms. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #at: ReachedDoor;
  readonly #origin: string;

  constructor(at: ReachedDoor, { origin = at.issuer.origin }: { readonly origin?: string } = {}) {
    this.#at = at;
    this.#origin = origin;
  }

  /** Loads a page, without following redirects. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.send(path, { headers });
  }

  /** Loads a page, and follows redirects on this server. */
  async open(path: string): Promise<{ readonly path: string; readonly text: string }> {
    let at = path;
    for (let hops = 0; hops < 5; hops++) {
      const response = await this.get(at);
      const next = response.headers.get('location');
      if (next === null) return { path: at, text: await response.text() };
      at = next;
    }
    throw new Error('too many redirects');
  }

  /** Posts a form from one of the server's own pages. */
  async post(
    path: string,
    fields: Fields,
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Response> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const one of [value].flat()) body.append(name, one);
    }
    const all = { origin: this.#origin, 'sec-fetch-site': 'same-origin', ...headers };
    const sent = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    return this.send(path, { method: 'POST', body, headers: Object.fromEntries(sent) });
  }

  async postJson(path: string, body: unknown, origin = this.#origin): Promise<Response> {
    const headers = { origin, 'content-type': 'application/json' };
    return this.send(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  async send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '') headers.set('cookie', cookie);
    const url = new URL(path, `http://${new URL(this.#origin).host}`);
    const request = new Request(url, { ...init, headers });
    const response = await this.#at.door.handle(request, '127.0.0.1');
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Signs in at `/owner`. */
  async signIn(): Promise<void> {
    const response = await this.post('/owner/sign-in', { passphrase });
    if (response.status !== 303) throw new Error(`not signed in: ${response.status}`);
  }

  /** Begins a request as claude.ai does; answers the path of the page that asks the owner. */
  async begin(more: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const response = await this.get(`/authorize?${authorizeQuery(more)}`);
    const path = response.headers.get('location');
    if (path === null) throw new Error(`no page: ${response.status} ${await response.text()}`);
    return path;
  }

  /** Answers the consent page; the fields are those of an ordinary yes unless said otherwise. */
  async consent(path: string, fields: Fields = {}): Promise<Response> {
    const word = wordIn(await (await this.get(path)).text());
    return this.post(path, { ...ordinaryYes, word, ...fields });
  }
}

export const ordinaryYes = {
  rights: 'change',
  where: 'all',
  folder: ['', '', ''],
  tools: 'notes',
  days: '90',
  answer: 'allow',
} as const;

/** The word against forged posts in a page. */
export function wordIn(html: string): string {
  return /name="word" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

/** The address of the link on a page that leads back to the client. */
export function backIn(html: string): URL {
  const [, link = ''] = /href="([^"]+)"/.exec(html) ?? [];
  return new URL(link.replaceAll('&amp;', '&'));
}

/** A client, as a program: it posts forms without cookies. */
export async function postAsProgram(
  { door, issuer }: ReachedDoor,
  path: string,
  fields: Fields | URLSearchParams,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly response: Response; readonly json: Record<string, unknown> }> {
  const body =
    fields instanceof URLSearchParams
      ? fields
      : new URLSearchParams(
          Object.entries(fields).flatMap(([name, value]) =>
            [value].flat().map((one) => [name, one] as [string, string]),
          ),
        );
  const url = `http://${new URL(issuer.origin).host}${path}`;
  const response = await door.handle(
    new Request(url, { method: 'POST', body, headers }),
    '10.0.0.9',
  );
  const text = await response.clone().text();
  return { response, json: text === '' ? {} : JSON.parse(text) };
}

/** The tokens that claude.ai gets for what the owner allows. */
export async function tokensFor(
  at: ReachedDoor,
  browser: TestBrowser,
  fields: Fields = {},
): Promise<Record<string, unknown>> {
  const path = await browser.begin();
  const page = await browser.consent(path, fields);
  const code = backIn(await page.text()).searchParams.get('code') ?? '';
  const { json } = await postAsProgram(at, '/token', {
    grant_type: 'authorization_code',
    client_id: claude.id,
    code,
    redirect_uri: claude.redirect,
    code_verifier: verifier,
  });
  return json;
}
