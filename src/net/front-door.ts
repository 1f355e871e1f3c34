import { createHash } from 'node:crypto';
import type { Scopes, Visitor } from '../base/caller.ts';
import { VaultError } from '../base/vault-error.ts';
import { broughtByProxy } from './brought-by-proxy.ts';
import { hostNameFrom, hostNameOf, isLoopback } from './host-name.ts';
import type { Refusal, RequestHead } from './http-listener.ts';
import { OwnNames } from './own-names.ts';
import { WrongTokens } from './wrong-tokens.ts';

export interface FrontDoorOptions {
  /** Names and addresses that Host and Origin may have, beside loopback and the machine's own. */
  readonly allowHosts: readonly string[];
  /**
   * Addresses under which a proxy or tunnel offers us; their Host and Origin are allowed. With any
   * of them, forwarded headers are expected.
   */
  readonly publicUrls: readonly string[];
  /**
   * Whether a token must be shown. One that is shown is always checked, except with `off`: then the
   * header belongs to the proxy in front, which may send its own.
   */
  readonly tokens: 'asked' | 'optional' | 'off';
  readonly book: TokenBook;
  /** What someone without a token may do. */
  readonly scopes: Scopes;
  readonly nowMs: () => number;
}

export interface TokenBook {
  /** The token with this SHA-256, if it is valid at this moment. Compares in constant time. */
  find(
    sha256: Uint8Array,
  ): Promise<
    { readonly id: string; readonly scopes: Pick<Scopes, 'effects' | 'folders'> } | undefined
  >;
}

const bearer = /^bearer +([\w.~+/-]+=*) *$/i;
const shownCharsMax = 100;

/**
 * Decides who comes in, before anything of a request but its head is read: Host and Origin against
 * web pages (DNS rebinding among them), forwarded headers against tunnels that nobody declared, and
 * tokens. What it does not know, it refuses.
 */
export class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #hosts: ReadonlySet<string>;
  readonly #publicHosts: ReadonlySet<string>;
  readonly #publicOrigins: ReadonlySet<string>;
  readonly #own: OwnNames;
  readonly #wrong: WrongTokens;

  /** Fails with `invalid_input` when a host or address in the options is none. */
  constructor(options: FrontDoorOptions) {
    const urls = options.publicUrls.map(publicUrl);
    this.#options = options;
    this.#hosts = new Set(options.allowHosts.map(allowedHost));
    this.#publicHosts = new Set(urls.flatMap((url) => hostNameOf(url.host) ?? []));
    this.#publicOrigins = new Set(urls.map((url) => url.origin));
    this.#own = new OwnNames(options.nowMs);
    this.#wrong = new WrongTokens(options.nowMs);
  }

  /** A visitor, or why not. `open` is for what asks for no token and shows nothing of the vault. */
  async admit(head: RequestHead, options: { open?: boolean } = {}): Promise<Refusal | Visitor> {
    const { address } = head;
    const foreign = this.#foreign(head);
    if (foreign !== undefined) return foreign;
    if (options.open) return { scopes: { effects: [], folders: [], hide: [] }, address };
    const { tokens, scopes } = this.#options;
    const authorization = tokens === 'off' ? null : head.headers.get('authorization');
    if (authorization !== null) return this.#tokenHolder(authorization, address);
    return tokens === 'asked' ? tokenMissing : { scopes, address };
  }

  /** CORS headers for an allowed Origin; none without one, and none for another. */
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
      // A page of an allowed Origin may send what any other client may.
      ...(/^[\w, -]+$/.test(asked) && { 'Access-Control-Allow-Headers': asked }),
      'Access-Control-Max-Age': '600',
    };
  }

  #foreign(head: RequestHead): Refusal | undefined {
    const host = head.headers.get('host') ?? '';
    const name = hostNameOf(host);
    const isAllowed = name !== undefined && (this.#allows(name) || this.#publicHosts.has(name));
    const isDirect = this.#options.publicUrls.length === 0;
    const brought = isDirect ? broughtByProxy(head.headers) : undefined;
    if (!isAllowed && brought === undefined) {
      return forbidden(
        `This server is not called "${shown(host)}". If that is right, start it with --allow-host and this name; behind a proxy or tunnel with --public-url and the address that people use.`,
      );
    }
    const origin = head.headers.get('origin');
    if (isAllowed && origin !== null && !this.#allowsOrigin(origin)) {
      return forbidden(
        `Web pages of "${shown(origin.replace(/^\w+:\/\//, ''))}" may not use this server. If they should, start it with --allow-host and the name of their host.`,
      );
    }
    return brought === undefined ? undefined : this.#undeclaredProxy(brought);
  }

  #undeclaredProxy(brought: string): Refusal {
    const compulsory = this.#options.tokens === 'off' ? '' : '; tokens are then compulsory';
    return forbidden(
      `${brought} Start the server with --public-url <the address people use>${compulsory}.`,
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

  async #tokenHolder(authorization: string, address: string): Promise<Refusal | Visitor> {
    const [, token] = bearer.exec(authorization) ?? [];
    const { book, scopes } = this.#options;
    const found =
      token === undefined
        ? undefined
        : await book.find(createHash('sha256').update(token).digest());
    if (found === undefined) {
      const waitSeconds = this.#wrong.add(address);
      return waitSeconds === undefined ? tokenWrong : tooManyWrong(waitSeconds);
    }
    const { folders } = found.scopes;
    const effects = found.scopes.effects.filter((effect) => scopes.effects.includes(effect));
    return { scopes: { effects, folders, hide: scopes.hide }, token: found.id, address };
  }
}

const tokenMissing: Refusal = {
  status: 401,
  message:
    'This server asks for a token. Make one with `vaultdoor token create <name>` and send it as "Authorization: Bearer <token>".',
  headers: { 'WWW-Authenticate': 'Bearer realm="vaultdoor"' },
};

const tokenWrong: Refusal = {
  status: 401,
  message:
    'This token is not valid: it is unknown, revoked or too old. `vaultdoor token list` shows those that are; it is sent as "Authorization: Bearer <token>".',
  headers: { 'WWW-Authenticate': 'Bearer realm="vaultdoor", error="invalid_token"' },
};

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

/** What was sent, fit to stand in a sentence. */
function shown(sent: string): string {
  return sent.slice(0, shownCharsMax).replace(/[^\w.:[\]-]/g, '?');
}

function allowedHost(text: string): string {
  const name = hostNameFrom(text.trim());
  if (name !== undefined) return name;
  throw new VaultError(
    'invalid_input',
    `"${shown(text)}" is no host. --allow-host takes a name or an address, such as nas.lan or 192.168.1.5.`,
  );
}

function publicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Paths are added to it, and it is printed.
  const isPlain = url?.search === '' && url.hash === '' && url.username === '';
  if (isPlain && /^https?:$/.test(url.protocol) && hostNameOf(url.host)) return url;
  throw new VaultError(
    'invalid_input',
    `"${shown(text)}" is no address of a web server. --public-url takes one, such as https://notes.example.org.`,
  );
}
