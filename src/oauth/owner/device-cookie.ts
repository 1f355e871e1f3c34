import { limits } from '../../base/limits.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { fromBase64Url, toBase64Url } from '../text/base64url.ts';

const idBytes = 16;
const form = /^([\w-]{22})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/** A new cookie of a browser in which the owner has just signed in; `id` is that of its earlier one. */
export function deviceCookie(
  crypto: OAuthCrypto,
  { key, nowMs, id }: { readonly key: string; readonly nowMs: number; readonly id: string },
): string {
  const text = `${id}.${nowMs.toString(36)}`;
  return `${text}.${toBase64Url(signature(crypto, key, text))}`;
}

/** A new id for a browser. */
export function newDeviceId(crypto: OAuthCrypto): string {
  return toBase64Url(crypto.random(idBytes));
}

/** The id in the cookie of a browser; undefined when we have not signed it, or too long ago. */
export function deviceIdIn(
  crypto: OAuthCrypto,
  { key, nowMs, cookie }: { readonly key: string; readonly nowMs: number; readonly cookie: string },
): string | undefined {
  const [, id, madeMs, sent] = form.exec(cookie) ?? [];
  if (id === undefined || madeMs === undefined || sent === undefined) return undefined;
  const expected = signature(crypto, key, `${id}.${madeMs}`);
  if (!crypto.isEqual(expected, fromBase64Url(sent) ?? new Uint8Array())) return undefined;
  return nowMs - Number.parseInt(madeMs, 36) < limits.deviceMs ? id : undefined;
}

function signature(crypto: OAuthCrypto, key: string, text: string): Uint8Array {
  return crypto.hmac(fromBase64Url(key) ?? key, `device ${text}`);
}
