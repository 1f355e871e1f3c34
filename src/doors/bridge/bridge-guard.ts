import { createHash, timingSafeEqual } from 'node:crypto';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import { hostNameOf, isLoopback } from '../../net/host-name.ts';
import type { RequestHead } from '../../net/http-handler.ts';
import { proxyEvidence } from '../../net/proxy-evidence.ts';
import { type BridgeRefusal, refuseBridge } from './bridge-refusal.ts';

export interface BridgeGuardOptions {
  /** Origins of web pages that may come in beside those of this machine; `*` is every page. */
  readonly allowOrigins: readonly string[];
  /** The SHA-256 of the token that has to be shown; absent where none is asked for. */
  readonly token?: Uint8Array;
}

/** Where the Obsidian app's own code runs. */
const appOrigin = 'app://obsidian.md';
const everyOrigin = '*';
const shownCharsMax = 100;

/**
 * Decides who comes in before anything runs: only who calls us by a name of this machine (a name
 * that someone else points here is DNS rebinding), nobody whom a proxy or tunnel brings, and no web
 * page that is not allowed. The protocol itself lets every page in.
 */
export class BridgeGuard {
  readonly #origins: ReadonlySet<string>;
  readonly #token: Uint8Array | undefined;

  /** Fails with `invalid_input` when an origin in the options is none. */
  constructor({ allowOrigins, token }: BridgeGuardOptions) {
    this.#origins = new Set([appOrigin, ...allowOrigins.map(originFrom)]);
    this.#token = token;
  }

  /** Why this request is not served; undefined when it is. */
  refusal({ method, headers }: RequestHead): Response | undefined {
    const brought = proxyEvidence(headers);
    if (brought !== undefined) {
      return forbidden(
        `${brought} Bridge v1 is for programs on this machine only; a proxy or tunnel may lead to MCP, with --public-url and tokens.`,
      );
    }
    const host = headers.get('host') ?? '';
    if (!isLoopback(hostNameOf(host) ?? '')) {
      return forbidden(`This server is called 127.0.0.1 or localhost, not "${shown(host)}".`);
    }
    const origin = headers.get('origin');
    if (origin !== null && !this.#allows(origin)) {
      return forbidden(
        `Web pages of "${shown(origin)}" may not use this server. If they should, start it with --allow-origin and this origin.`,
      );
    }
    // A browser asks first without the token.
    if (method === 'OPTIONS' || this.#token === undefined) return undefined;
    const given = tokenIn(headers);
    if (given !== undefined && timingSafeEqual(sha256(given), this.#token)) return undefined;
    return this.withCors(refuseBridge(given === undefined ? tokenMissing : tokenWrong));
  }

  /**
   * The same answer, which a page that was let in may read. `*` rather than its origin, as the
   * protocol says: nothing that a browser adds by itself, such as cookies, opens anything here.
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
    // What one page may read, a cache must not hand to another.
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

/** Without CORS headers: a page that may not come in does not get to read why. */
function forbidden(details: string): Response {
  return refuseBridge({ status: 403, details });
}

/** What was sent, fit to stand in quotes in a sentence. */
function shown(sent: string): string {
  return oneLine(sent.replaceAll('"', '?'), shownCharsMax);
}

/** The token that is shown: the plugin's own header, or the usual one. */
function tokenIn(headers: Headers): string | undefined {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '') ?? [];
  return headers.get('x-obsiscripta-api-key') ?? bearer;
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** An origin as browsers send it, from what a person wrote. */
function originFrom(text: string): string {
  if (text === everyOrigin) return text;
  const [, scheme = '', host = ''] = /^([a-z][a-z\d+.-]*:\/\/)([^\s/?#@*]+)\/?$/i.exec(text) ?? [];
  if (host !== '' && !/^https?:/i.test(scheme)) return `${scheme}${host}`.toLowerCase();
  if (host !== '' && URL.canParse(text)) return new URL(text).origin;
  throw new VaultError(
    'invalid_input',
    `"${shown(text)}" is no origin. --allow-origin takes one, such as https://notes.example.org, or '*' for every web page.`,
  );
}
