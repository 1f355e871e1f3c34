import { limits } from '../../base/limits.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import type { SignedIn } from '../../oauth/owner/owner-sign-in.ts';

/**
 * The cookies of a browser: the owner's session, the device by which the browser is known when
 * passphrases are counted, and an id for a browser in which nobody has signed in yet.
 */
export interface BrowserCookies {
  readonly owner?: string;
  readonly device?: string;
  readonly browser?: string;
}

const names = { owner: 'vd_owner', device: 'vd_device', browser: 'vd_browser' } as const;
type CookieName = keyof typeof names;
const valueForm = /^[\w.~-]{1,300}$/;

/** The cookies that a request has sent. Of two with the same name, the first counts. */
export function readCookies(headers: Headers, issuer: Issuer): BrowserCookies {
  const sent = new Map<string, string>();
  // Not by one pattern: a value with thousands of spaces inside would be looked at again from each.
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    // Only the space after ";" goes: a neighbour may set a cookie whose name differs by such a sign.
    const name = pair.slice(0, Math.max(at, 0)).replace(/^ +/, '');
    const value = pair.slice(at + 1).trimEnd();
    if (name !== '' && !sent.has(name) && valueForm.test(value)) sent.set(name, value);
  }
  const sentAs = (cookie: CookieName): string | undefined => sent.get(nameAt(cookie, issuer));
  const [owner, device, browser] = [sentAs('owner'), sentAs('device'), sentAs('browser')];
  return {
    ...(owner !== undefined && { owner }),
    ...(device !== undefined && { device }),
    ...(browser !== undefined && { browser }),
  };
}

/** The lines for Set-Cookie after the owner has signed in. */
export function signedInCookies({ cookie, device }: SignedIn, issuer: Issuer): readonly string[] {
  return [
    cookieLine('owner', cookie, issuer),
    `${cookieLine('device', device, issuer)}; Max-Age=${Math.floor(limits.deviceMs / 1_000)}`,
  ];
}

/** The line for Set-Cookie that ends the session in the browser. */
export function signedOutCookie(issuer: Issuer): string {
  return `${cookieLine('owner', '', issuer)}; Max-Age=0`;
}

/** The line for Set-Cookie that gives a browser its id. */
export function browserCookie(id: string, issuer: Issuer): string {
  return cookieLine('browser', id, issuer);
}

/**
 * `Lax`, because a `Strict` cookie is not sent when a client's page leads here. Safari refuses
 * `__Host-` on http, which only a loopback address has.
 */
function cookieLine(cookie: CookieName, value: string, issuer: Issuer): string {
  const secure = issuer.isSecure ? 'Secure; ' : '';
  return `${nameAt(cookie, issuer)}=${value}; ${secure}HttpOnly; SameSite=Lax; Path=/`;
}

function nameAt(cookie: CookieName, { isSecure }: Issuer): string {
  return isSecure ? `__Host-${names[cookie]}` : names[cookie];
}
