import { isObject } from '../../base/json.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ServerAnswer } from '../../node/oauth/ask-server.ts';

/** What was found out about one thing that clients need of a server. */
export interface ServerFinding {
  readonly check: string;
  readonly isOk: boolean;
  /** Whether nothing wrong was found, but a look from this machine cannot show that all is well. */
  readonly isDoubtful?: true;
  readonly says: string;
  /** What to change; absent where all is well. */
  readonly change?: string;
}

/** An answer, or why there is none. */
export type Asked = ServerAnswer | { readonly failed: string };

/** What is wrong, and what to change. */
export interface Trouble {
  readonly says: string;
  readonly change: string;
}

const sentCharsMax = 300;

/** What a server has sent, for a line on a terminal: cut, and without characters that could steer it. */
export function shownSent(text: string): string {
  return oneLine(text, sentCharsMax);
}

/** A finding of `check`: well with `says`, unless there is trouble. */
export function finding(check: string, says: string, trouble?: Trouble): ServerFinding {
  return trouble === undefined ? { check, isOk: true, says } : { check, isOk: false, ...trouble };
}

/** Why a connection failed, as the end of a sentence. */
export function failureText(error: unknown): string {
  if (error instanceof VaultError) return shownSent(error.message);
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  // A name with several addresses fails with one error for each of them, and no message of its own.
  if (typeof code === 'string') return failures[code] ?? `The connection failed (${code}).`;
  return shownSent(String(message ?? error));
}

const failures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name does not exist.',
  EAI_AGAIN: 'The name could not be looked up.',
  ECONNREFUSED: 'Nothing listens there.',
  ECONNRESET: 'The connection was closed.',
  EHOSTUNREACH: 'There is no way to that address.',
  ENETUNREACH: 'There is no way to that address.',
  ETIMEDOUT: 'There was no answer in time.',
  EPROTO: 'What answers there does not speak TLS as it should.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'What answers there speaks plain HTTP, not TLS.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'What answers there speaks plain HTTP, not TLS.',
};

/** The JSON object in an answer; undefined when it is none, or is not said to be JSON. */
export function jsonOf({
  headers,
  text,
}: ServerAnswer): Readonly<Record<string, unknown>> | undefined {
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Why `what` (such as `POST /mcp`) did not get through to the server, whatever was asked: no answer,
 * a redirect, a page of the proxy's own, an unknown path. Undefined when none of these is seen.
 */
export function notThrough(asked: Asked, what: string, publicUrl: string): Trouble | undefined {
  if ('failed' in asked) {
    return {
      says: `${what} got no answer. ${asked.failed}`,
      change: 'Let the proxy pass this path to the server, as deploy/Caddyfile does.',
    };
  }
  const { status, headers } = asked;
  if (status >= 300 && status < 400) {
    return { says: `${what} is redirected (${status}).`, change: 'See "redirects" above.' };
  }
  const isPage = /\bhtml\b/i.test(headers.get('content-type') ?? '');
  if (headers.has('cf-mitigated') || (isPage && /^cloudflare/i.test(headers.get('server') ?? ''))) {
    return {
      says: `${what} is answered by Cloudflare (${status}), not by the server.`,
      change:
        'Turn off challenges and Access for the paths that deploy/Caddyfile lists: apps are programs and cannot answer them.',
    };
  }
  const own = ownMessage(asked);
  if (status === 403) {
    return own === undefined
      ? {
          says: `${what} is forbidden (403), and not by Vaultdoor.`,
          change: 'Turn off logins and filters of the proxy for the paths of deploy/Caddyfile.',
        }
      : {
          says: `${what} is refused (403): ${own}`,
          change: `Start the server with --public-url ${publicUrl}, and let the proxy keep the Host header.`,
        };
  }
  if (status === 404) {
    return {
      says: `${what} is not there (404).`,
      change: `Let the proxy pass this path, as deploy/Caddyfile does. If it does, start the server with --public-url ${publicUrl}, without --oauth off and without --auth none.`,
    };
  }
  if (status >= 500) {
    return {
      says: `${what} fails with ${status}${own === undefined ? '' : `: ${own}`}.`,
      change:
        'Look whether "vaultdoor serve" runs and whether the proxy leads to its address and port; the log of the server may say more.',
    };
  }
  return undefined;
}

/**
 * The address to which an answer redirects, without its query, which may be long. Undefined if it does
 * not redirect.
 */
export function redirectedTo(asked: Asked, from: URL): string | undefined {
  if ('failed' in asked || asked.status < 300 || asked.status >= 400) return undefined;
  const location = asked.headers.get('location') ?? '';
  if (!URL.canParse(location, from.href)) return 'an address that cannot be read';
  const { origin, pathname } = new URL(location, from);
  return shownSent(`${origin}${pathname}`);
}

/** The sentence with which Vaultdoor itself refuses; undefined where another program does. */
export function ownMessage(answer: ServerAnswer): string | undefined {
  const json = jsonOf(answer);
  const { message } = Object(json?.['error']) as { message?: unknown };
  const said = message ?? json?.['error_description'] ?? messageOnPage(answer);
  return typeof said === 'string' ? shownSent(said) : undefined;
}

/** What a page of ours says that says one thing. Its rules for browsers show that it is ours. */
function messageOnPage({ headers, text }: ServerAnswer): string | undefined {
  const rules = headers.get('content-security-policy') ?? '';
  if (!rules.includes("frame-ancestors 'none'")) return undefined;
  const [, said] = /<\/h1>\s*<p>([^<]*)<\/p>/.exec(text) ?? [];
  return said?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
