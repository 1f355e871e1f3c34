import { createHash, timingSafeEqual } from 'node:crypto';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import { hostNameOf, isLoopback } from '../../net/host-name.ts';
import type { RequestHead } from '../../net/http-handler.ts';
import { proxyEvidence } from '../../net/proxy-evidence.ts';
import { type BridgeRefusal, refuseBridge } from './bridge-refusal.ts';

export interface BridgeGuardOptions {
  /** Origins of web pages that may use the server, besides those of this machine; `*` for all. */
  readonly allowOrigins: readonly string[];
  /** The SHA-256 of the token that clients must send; absent when they need none. */
  readonly token?: Uint8Array;
}

/** The origin of the Obsidian app and its plugins. */
const appOrigin = 'app://obsidian.md';
const everyOrigin = '*';
const shownCharsMax = 100;

/**
 * Decides from the head of a request whether it is served. Its Host must be a name of this machine
 * (against DNS rebinding), it must not come through a proxy or tunnel, a web page that sends it must
 * be allowed, and it must have the token, if there is one. Bridge v1 itself would let every
 * page in; this guard is stricter.
 */
export class BridgeGuard {
  readonly #origins: ReadonlySet<string>;
  readonly #token: Uint8Array | undefined;

  /** Fails with `invalid_input` when an origin in the options is malformed. */
  constructor({ allowOrigins, token }: BridgeGuardOptions) {
    this.#origins = new Set([appOrigin, ...allowOrigins.map(originFrom)]);
    this.#token = token;
  }

  /** The refusal of a request; undefined when it is served. */
  refusal({ method, headers }: RequestHead): Response | undefined {
    const proxied = proxyEvidence(headers);
    if (proxied !== undefined) {
      return forbidden(
        `${proxied} Bridge v1 serves only programs on this machine. Through a proxy or tunnel, use MCP with --public-url and tokens.`,
      );
    }
    const host = headers.get('host') ?? '';
    if (!isLoopback(hostNameOf(host) ?? '')) {
      return forbidden(`Call this server 127.0.0.1 or localhost, not "${shown(host)}".`);
    }
    const origin = headers.get('origin');
    if (origin !== null && !this.#allows(origin)) {
      return forbidden(
        `Web pages of "${shown(origin)}" may not use this server. If they should, start the server with --allow-origin and this origin.`,
      );
    }
    // A browser's preflight request (OPTIONS) never has the token.
    if (method === 'OPTIONS' || this.#token === undefined) return undefined;
    const given = tokenIn(headers);
    if (given !== undefined && timingSafeEqual(sha256(given), this.#token)) return undefined;
    return this.withCors(refuseBridge(given === undefined ? tokenMissing : tokenWrong));
  }

  /**
   * Adds the headers that let a web page read the answer. They allow `*` instead of the page's
   * origin, as the protocol says; this is safe because the server uses nothing that a browser adds
   * by itself, such as cookies.
   */
  withCors(answer: Response): Response {
    const { headers } = answer;
    headers.set('Access-Control-Allow-Origin', '*');
    headers.set('Access-Control-Allow-Methods', 'GET, POST, OPTIONS');
    headers.set(
      'Access-Control-Allow-Headers',
      this.#token === undefined
        ? 'Content-Type'
        : 'Content-Type, Authorization, X-ObsiScripta-Api-Key',
    );
    // A cache must not give a page an answer that was made for another origin.
    headers.set('Vary', 'Origin');
    headers.set('Cache-Control', 'no-cache');
    return answer;
  }

  #allows(origin: string): boolean {
    if (this.#origins.has(everyOrigin) || this.#origins.has(origin)) return true;
    const [, host = ''] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
    return isLoopback(hostNameOf(host) ?? '');
  }
}

const howToSend = 'send it as "Authorization: Bearer <token>"';

const tokenMissing: BridgeRefusal = {
  status: 401,
  details: `This server asks for a token; ${howToSend}.`,
  headers: { 'WWW-Authenticate': 'Bearer realm="vaultdoor"' },
};

const tokenWrong: BridgeRefusal = {
  status: 401,
  details: `This token is not the one that the server was started with; ${howToSend}.`,
  headers: { 'WWW-Authenticate': 'Bearer realm="vaultdoor", error="invalid_token"' },
};

/** A refusal without CORS headers, so that a page that is not allowed cannot read it. */
function forbidden(details: string): Response {
  return refuseBridge({ status: 403, details });
}

/** A text that a client sent, shortened and cleaned to be quoted in a message. */
function shown(sent: string): string {
  return oneLine(sent.replaceAll('"', '?'), shownCharsMax);
}

/** The token of a request: from the header of the plugin that Bridge v1 comes from, or from Authorization. */
function tokenIn(headers: Headers): string | undefined {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '') ?? [];
  return headers.get('x-obsiscripta-api-key') ?? bearer;
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** An origin that a person wrote, in the form that browsers send. */
function originFrom(text: string): string {
  if (text === everyOrigin) return text;
  const [, scheme = '', host = ''] = /^([a-z][a-z\d+.-]*:\/\/)([^\s/?#@*]+)\/?$/i.exec(text) ?? [];
  // `URL` knows no origin for other schemes, such as app://.
  if (host !== '' && !/^https?:/i.test(scheme)) return `${scheme}${host}`.toLowerCase();
  if (host !== '' && URL.canParse(text)) return new URL(text).origin;
  throw new VaultError(
    'invalid_input',
    `"${shown(text)}" is not an origin. --allow-origin takes an origin such as https://notes.example.org, or '*' for every web page.`,
  );
}
