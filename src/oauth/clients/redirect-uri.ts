import { limits } from '../../base/limits.ts';

/**
 * Printable ASCII without quotes, angle brackets and backslash, which could end an attribute of a page,
 * and without `#`: an answer has no fragment.
 */
const plainChars = /^[!$-&(-;=?-[\]-_a-~]+$/;

/** The three spellings of this computer; a name that only begins like one of them does not match. */
const loopback =
  /^http:\/\/(?<host>127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?<path>\/[^?]*)?(?<query>\?.*)?$/;

/** A host without userinfo. `new URL` would also take `https:host`, `https:/host` and `https:\\host`. */
const web = /^https:\/\/[^/?@]+(?:[/?]|$)/;

const privateScheme = /^([a-z][a-z0-9+.-]+):./;

/**
 * Schemes that run code, read files, or are opened by something else than the app that asked, such as
 * the shell of the system. The browser is led back there when the owner refuses, too.
 */
const forbiddenSchemes = new Set(
  (
    'http https javascript data vbscript file blob about view-source ws wss ftp mailto tel ' +
    'filesystem intent content chrome chrome-extension jar resource moz-extension feed sms ' +
    'search search-ms shell mk res smb cifs nfs afp ssh telnet ldap itms-services'
  ).split(' '),
);

/** Whether a client may register this address for answers. */
export function isAllowedRedirect(uri: string): boolean {
  if (uri.length > limits.redirectCharsMax || !isPlain(uri)) return false;
  return web.test(uri) || loopback.test(uri) || schemeOf(uri) !== undefined;
}

/**
 * Whether an answer may go to `sent` when `registered` is registered. They must be the same text; on
 * loopback the port may differ, because programs choose it late, and an empty path is the same as `/`.
 * `localhost` and `127.0.0.1` are different hosts.
 */
export function isSameRedirect(registered: string, sent: string): boolean {
  if (registered === sent) return true;
  const [one, other] = [loopbackParts(registered), loopbackParts(sent)];
  return one !== undefined && one === other;
}

/** Where an answer goes, for the owner to see. */
export type RedirectTarget =
  | { readonly kind: 'web'; readonly host: string }
  /** A program on the device of the person who signs in. */
  | { readonly kind: 'loopback' }
  /** An app that opens links with this scheme; the scheme is without its colon. */
  | { readonly kind: 'app'; readonly scheme: string };

/**
 * Where an answer to an allowed address goes. The host is the one that a browser would open, however
 * the address spells it.
 */
export function redirectTarget(uri: string): RedirectTarget {
  if (loopback.test(uri)) return { kind: 'loopback' };
  const scheme = schemeOf(uri);
  return scheme === undefined ? { kind: 'web', host: new URL(uri).host } : { kind: 'app', scheme };
}

/** Host, path and query of a loopback address as one text, without the port. */
function loopbackParts(uri: string): string | undefined {
  const groups = isPlain(uri) ? loopback.exec(uri)?.groups : undefined;
  return groups && `${groups['host']}${groups['path'] ?? '/'}${groups['query'] ?? ''}`;
}

function isPlain(uri: string): boolean {
  return plainChars.test(uri) && URL.canParse(uri);
}

/** The scheme of an address that an app opens; undefined for all others, and for forbidden schemes. */
function schemeOf(uri: string): string | undefined {
  const scheme = privateScheme.exec(uri)?.[1];
  if (scheme === undefined || scheme.startsWith('ms-')) return undefined;
  return forbiddenSchemes.has(scheme) ? undefined : scheme;
}
