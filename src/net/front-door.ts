import { createHash } from 'node:crypto';
import { commonRights, type Scopes, type Visitor } from '../base/caller.ts';
import { VaultError } from '../base/vault-error.ts';
import { hostNameFrom, hostNameOf, isLoopback, OwnNames } from './host-name.ts';
import type { Refusal, RequestHead } from './http-handler.ts';
import { proxyEvidence } from './proxy-evidence.ts';
import { WrongTokens } from './wrong-tokens.ts';

interface FrontDoorOptions {
  /** Names and addresses that Host and Origin may have, besides those of this machine. */
  readonly allowHosts: readonly string[];
  /**
   * The addresses of proxies or tunnels that lead to this server. Host and Origin may be theirs. If
   * there is one, headers that proxies add are expected; otherwise such requests are refused.
   */
  readonly publicUrls: readonly string[];
  /**
   * Whether clients need a token. With `optional`, a token that is sent must still be valid. With
   * `off`, the Authorization header is ignored: the proxy in front may use it for itself.
   */
  readonly tokens: 'asked' | 'optional' | 'off';
  readonly book: TokenBook;
  /** How clients sign in; absent when they cannot. */
  readonly signIn?: SignInPort;
  /** What a client without a token may do. */
  readonly scopes: Scopes;
  /** Called when a token is unknown, but not for addresses that must wait because of such. */
  readonly onWrongToken?: () => void;
  readonly nowMs: () => number;
}

/** A token that is valid now. `id` is that of the token, or of the grant that it belongs to. */
interface FoundToken {
  readonly id: string;
  readonly scopes: Pick<Scopes, 'effects' | 'folders'>;
  readonly tools?: NonNullable<Visitor['tools']>;
  readonly vaults?: NonNullable<Visitor['vaults']>;
}

/** Where the tokens that were given out are looked up. */
interface TokenBook {
  /**
   * The token with this SHA-256; `ended` for one that was valid once and is still remembered, undefined
   * for an unknown one. Compares in constant time.
   */
  find(sha256: Uint8Array): Promise<FoundToken | 'ended' | undefined>;
}

/** What the front door needs to know of clients that sign in. */
export interface SignInPort {
  /** Looks up the tokens that signing in gives out. They begin with `prefix`; others are in the book. */
  readonly prefix: string;
  readonly book: TokenBook;
  /**
   * The `WWW-Authenticate` header that tells a client where to sign in, for a request with this Host
   * header to this path; undefined when one cannot sign in under this name.
   */
  readonly challenge: (
    at: { readonly host: string; readonly path: string },
    error?: 'invalid_token',
  ) => string | undefined;
}

const bearer = /^bearer +([\w.~+/-]+=*) *$/i;
const shownCharsMax = 100;

/**
 * Decides from the head of a request whether it is served. The Host and Origin headers must be
 * allowed (against foreign web pages and DNS rebinding), a proxy or tunnel must have been declared
 * with --public-url, and a token must be valid.
 */
export class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #hosts: ReadonlySet<string>;
  readonly #publicHosts: ReadonlySet<string>;
  readonly #publicOrigins: ReadonlySet<string>;
  readonly #own: OwnNames;
  readonly #wrong: WrongTokens;

  /** Fails with `invalid_input` when a host or URL in the options is malformed. */
  constructor(options: FrontDoorOptions) {
    const urls = options.publicUrls.map(publicUrl);
    this.#options = options;
    this.#hosts = new Set(options.allowHosts.map(allowedHost));
    this.#publicHosts = new Set(urls.flatMap((url) => hostNameOf(url.host) ?? []));
    this.#publicOrigins = new Set(urls.map((url) => url.origin));
    this.#own = new OwnNames(options.nowMs);
    this.#wrong = new WrongTokens(options.nowMs);
  }

  /**
   * The visitor who sent the request, or why it is refused. `open` is for pages that need no token
   * because they show nothing of the vault, or ask for a sign-in of their own. With `anyOrigin`, web
   * pages of every site may send the request.
   */
  async admit(
    head: RequestHead,
    options: { readonly open?: boolean; readonly anyOrigin?: boolean } = {},
  ): Promise<Refusal | Visitor> {
    const { address } = head;
    const foreign = this.#foreign(head, options.anyOrigin === true);
    if (foreign !== undefined) return foreign;
    if (options.open) return { scopes: { effects: [], folders: [], hide: [] }, address };
    const { tokens, scopes } = this.#options;
    const authorization = tokens === 'off' ? null : head.headers.get('authorization');
    if (authorization !== null) return this.#tokenHolder(authorization, head);
    if (tokens === 'asked') return this.#tokenMissing(head);
    return { scopes, address, isDirect: this.#isDirect };
  }

  /** The CORS headers of the answer; empty unless the request has an allowed Origin. */
  corsHeaders(head: RequestHead): Record<string, string> {
    const origin = head.headers.get('origin');
    if (origin === null || !this.#allowsOrigin(origin)) return {};
    const headers = {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate, Retry-After',
      Vary: 'Origin',
    };
    if (head.method !== 'OPTIONS') return headers;
    const asked = head.headers.get('access-control-request-headers') ?? '';
    return {
      ...headers,
      'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
      // A page of an allowed Origin may send any header that other clients may send.
      ...(/^[\w, -]+$/.test(asked) && { 'Access-Control-Allow-Headers': asked }),
      'Access-Control-Max-Age': '600',
    };
  }

  /**
   * Refuses a request that came under a wrong name, from a foreign page, or through an unknown
   * proxy.
   */
  #foreign(head: RequestHead, anyOrigin: boolean): Refusal | undefined {
    const host = head.headers.get('host') ?? '';
    const name = hostNameOf(host);
    const isAllowed = name !== undefined && (this.#allows(name) || this.#publicHosts.has(name));
    const proxied = this.#isDirect ? proxyEvidence(head.headers) : undefined;
    // Behind an undeclared proxy the name is wrong too, but the message about the proxy helps more.
    if (!isAllowed && proxied === undefined) {
      return forbidden(
        `This server does not know the name "${shown(host)}". If the name is right, start the server with --allow-host and the name; behind a proxy or tunnel, start it with --public-url and the address that people use.`,
      );
    }
    const origin = head.headers.get('origin');
    if (isAllowed && origin !== null && !anyOrigin && !this.#allowsOrigin(origin)) {
      return forbidden(
        `Web pages of "${shown(origin.replace(/^\w+:\/\//, ''))}" may not use this server. If they should, start the server with --allow-host and the name of their host.`,
      );
    }
    return proxied === undefined ? undefined : this.#undeclaredProxy(proxied);
  }

  /** Whether clients connect directly: no proxy or tunnel was declared. */
  get #isDirect(): boolean {
    return this.#options.publicUrls.length === 0;
  }

  #undeclaredProxy(evidence: string): Refusal {
    const needToken = this.#options.tokens === 'off' ? '' : '; clients then need a token';
    return forbidden(
      `${evidence} Start the server with --public-url <the address people use>${needToken}.`,
    );
  }

  #allows(name: string): boolean {
    return isLoopback(name) || this.#hosts.has(name) || this.#own.has(name);
  }

  #allowsOrigin(origin: string): boolean {
    if (this.#publicOrigins.has(origin)) return true;
    const [, host = ''] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
    const name = hostNameOf(host);
    return name !== undefined && this.#allows(name);
  }

  async #tokenHolder(authorization: string, head: RequestHead): Promise<Refusal | Visitor> {
    const { address } = head;
    const [, token] = bearer.exec(authorization) ?? [];
    const { book, scopes, signIn } = this.#options;
    const asked = signIn !== undefined && token?.startsWith(signIn.prefix) ? signIn.book : book;
    const found =
      token === undefined
        ? undefined
        : await asked.find(createHash('sha256').update(token).digest());
    // Behind a proxy all clients have the same address. If the tokens that end every day were counted
    // as wrong, their clients would soon be told to wait, and not to sign in again.
    if (found === 'ended') return this.#tokenWrong(head);
    if (found === undefined) {
      const waitSeconds = this.#wrong.add(address);
      if (waitSeconds !== undefined) return tooManyWrong(waitSeconds);
      this.#options.onWrongToken?.();
      return this.#tokenWrong(head);
    }
    // A token never allows more than the server was started with.
    const { folders } = found.scopes;
    const effects = commonRights(found.scopes.effects, scopes.effects);
    return {
      scopes: { ...scopes, effects, folders },
      token: found.id,
      ...(found.tools === undefined ? {} : { tools: found.tools }),
      ...(found.vaults === undefined ? {} : { vaults: found.vaults }),
      address,
    };
  }

  #tokenMissing(head: RequestHead): Refusal {
    const challenge = this.#options.signIn?.challenge(placeOf(head));
    return challenge === undefined
      ? tokenRefusal(tokenMissing, 'Bearer realm="vaultdoor"')
      : tokenRefusal(signInFirst, challenge);
  }

  #tokenWrong(head: RequestHead): Refusal {
    const challenge = this.#options.signIn?.challenge(placeOf(head), 'invalid_token');
    return challenge === undefined
      ? tokenRefusal(tokenWrong, 'Bearer realm="vaultdoor", error="invalid_token"')
      : tokenRefusal(signInAgain, challenge);
  }
}

const tokenMissing =
  'This server asks for a token. Make one with `vaultdoor token create <name>` and send it as "Authorization: Bearer <token>".';

const tokenWrong =
  'This token is not valid: it is unknown, revoked or expired. `vaultdoor token list` shows the valid ones. Send a valid token as "Authorization: Bearer <token>".';

const signInFirst =
  'Sign in first: most clients open a browser for it. For other clients, make a token with `vaultdoor token create <name>` and send it as "Authorization: Bearer <token>".';

const signInAgain =
  'This token is not valid: it is unknown, revoked or expired, or is for other vaults. Sign in again, or send a token that `vaultdoor token list` shows.';

function placeOf({ headers, path }: RequestHead): { readonly host: string; readonly path: string } {
  return { host: headers.get('host') ?? '', path };
}

function tokenRefusal(message: string, challenge: string): Refusal {
  return { status: 401, message, headers: { 'WWW-Authenticate': challenge } };
}

function tooManyWrong(waitSeconds: number): Refusal {
  return {
    status: 429,
    message: `Too many wrong tokens came from this address. Wait ${waitSeconds} seconds, then send a valid one.`,
    headers: { 'Retry-After': String(waitSeconds) },
  };
}

function forbidden(message: string): Refusal {
  return { status: 403, message };
}

/** A text that a client sent, shortened and cleaned for a message. */
function shown(sent: string): string {
  return sent.slice(0, shownCharsMax).replace(/[^\w.:[\]-]/g, '?');
}

function allowedHost(text: string): string {
  const name = hostNameFrom(text.trim());
  if (name !== undefined) return name;
  throw new VaultError(
    'invalid_input',
    `"${shown(text)}" is not a host. --allow-host takes a name or an address, such as nas.lan or 192.168.1.5.`,
  );
}

function publicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL is printed, and paths are appended to it.
  const isPlain = url?.search === '' && url.hash === '' && url.username === '';
  if (isPlain && /^https?:$/.test(url.protocol) && hostNameOf(url.host)) return url;
  throw new VaultError(
    'invalid_input',
    `"${shown(text)}" is not the address of a web server. --public-url takes an address such as https://notes.example.org.`,
  );
}
