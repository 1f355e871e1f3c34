import { limits } from '../../base/limits.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { fromBase64Url, toBase64Url } from '../text/base64url.ts';

// Nothing is kept about a client that registers itself: its id says everything, and carries a
// signature. So strangers cannot fill the disk, and no restart forgets a client. Ids never end, because
// a client would not learn from a refusal that it should register again.

/** How a client proves who it is at `/token`. */
export type RegisteredMethod = 'none' | 'client_secret_post' | 'client_secret_basic';

/** What a client has registered. */
export interface Registration {
  /** Cleaned; '' when it has none. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly method: RegisteredMethod;
  readonly issuedSeconds: number;
}

/** How every id of a client that has registered itself begins. */
export const registeredPrefix = 'vdc_';

const signatureChars = 22;
const uniqueBytes = 9;

/** A new id for a registration; undefined when it would be too long. */
export function registeredId(
  registration: Registration,
  { key, crypto }: { readonly key: Uint8Array; readonly crypto: OAuthCrypto },
): string | undefined {
  const { name, redirectUris, method, issuedSeconds } = registration;
  // Without it, whoever registers the same in the same second would get the same secret.
  const unique = toBase64Url(crypto.random(uniqueBytes));
  const json = JSON.stringify([name, redirectUris, method, issuedSeconds, unique]);
  const body = `${registeredPrefix}${toBase64Url(new TextEncoder().encode(json))}`;
  const id = `${body}.${signatureOf(body, key, crypto)}`;
  return id.length > limits.registeredIdCharsMax ? undefined : id;
}

/** The registration that an id stands for; undefined when the id is not one of ours. */
export function registrationOf(
  id: string,
  { key, crypto }: { readonly key: Uint8Array; readonly crypto: OAuthCrypto },
): Registration | undefined {
  const dot = id.length - signatureChars - 1;
  if (id.length > limits.registeredIdCharsMax || id[dot] !== '.') return undefined;
  const body = id.slice(0, dot);
  const bytes = new TextEncoder();
  const signature = bytes.encode(signatureOf(body, key, crypto));
  if (!crypto.isEqual(signature, bytes.encode(id.slice(dot + 1)))) return undefined;
  const json = fromBase64Url(body.slice(registeredPrefix.length));
  if (!body.startsWith(registeredPrefix) || json === undefined) return undefined;
  // Only we can have signed it, so it has the form that `registeredId` writes.
  const [name, redirectUris, method, issuedSeconds] = JSON.parse(
    new TextDecoder().decode(json),
  ) as [string, readonly string[], RegisteredMethod, number];
  return { name, redirectUris, method, issuedSeconds };
}

/** The secret that belongs to an id; nobody else can compute it. */
export function registeredSecret(
  id: string,
  { key, crypto }: { readonly key: Uint8Array; readonly crypto: OAuthCrypto },
): string {
  return `vds_${toBase64Url(crypto.hmac(key, `secret of a client\n${id}`))}`;
}

function signatureOf(body: string, key: Uint8Array, crypto: OAuthCrypto): string {
  return toBase64Url(crypto.hmac(key, `id of a client\n${body}`)).slice(0, signatureChars);
}
