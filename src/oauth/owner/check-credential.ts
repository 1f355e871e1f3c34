import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { readJson } from '../../base/read-json.ts';
import type { OAuthCrypto, PublicKey } from '../ports/oauth-crypto.ts';
import { fromBase64Url } from '../text/base64url.ts';
import { readAuthenticatorData } from './authenticator-data.ts';
import { readCbor } from './cbor.ts';
import type { PasskeySite } from './passkey-site.ts';

/** A sentence for the person who tried. */
export interface Refused {
  readonly refused: string;
}

/** What both kinds of answers are checked against. */
interface Expected {
  readonly crypto: OAuthCrypto;
  readonly site: PasskeySite;
  /** Whether the challenge that was signed is one that we have given out for this. */
  readonly isOpen: (challenge: string) => boolean;
}

/** A credential id has at most 1023 bytes. */
const idCharsMax = 1_364;

/**
 * Checks what a browser sends for a new passkey (`RegistrationResponseJSON`). Which make of
 * authenticator it is does not matter, so an attestation is not looked at.
 */
export function checkNewPasskey(
  sent: unknown,
  expected: Expected,
): { readonly id: string; readonly key: PublicKey; readonly challenge: string } | Refused {
  const credential = credentialIn(sent);
  if (credential === undefined) return unreadable;
  const clientData = checkClientData(credential.response, 'webauthn.create', expected);
  if ('refused' in clientData) return clientData;
  const attestation = bytesIn(credential.response['attestationObject']);
  const read = attestation === undefined ? undefined : readCbor(attestation)?.value;
  const authData = read instanceof Map ? read.get('authData') : undefined;
  if (!(authData instanceof Uint8Array)) return unreadable;
  const data = checkAuthenticatorData(authData, expected);
  if ('refused' in data) return data;
  if (data.made === undefined || !isSameId(data.made.id, credential.id)) return unreadable;
  if (data.made.key === undefined) {
    return { refused: 'This passkey is of a kind that this server cannot check.' };
  }
  return { id: credential.id, key: data.made.key, challenge: clientData.challenge };
}

/**
 * Checks what a browser sends to sign in (`AuthenticationResponseJSON`). `keyOf` answers the key of a
 * passkey by its id, if that is one of ours for this host.
 */
export function checkPasskey(
  sent: unknown,
  expected: Expected & { readonly keyOf: (id: string) => PublicKey | undefined },
): { readonly id: string; readonly challenge: string } | Refused {
  const credential = credentialIn(sent);
  if (credential === undefined) return unreadable;
  const { id, response } = credential;
  const clientData = checkClientData(response, 'webauthn.get', expected);
  if ('refused' in clientData) return clientData;
  const authData = bytesIn(response['authenticatorData']);
  const signature = bytesIn(response['signature']);
  if (authData === undefined || signature === undefined) return unreadable;
  const data = checkAuthenticatorData(authData, expected);
  if ('refused' in data) return data;
  const key = expected.keyOf(id);
  if (key === undefined) {
    return { refused: 'This passkey is not known here. Sign in with your passphrase.' };
  }
  const signed = joined(authData, expected.crypto.sha256(clientData.bytes));
  if (!expected.crypto.verify(key, signed, signature)) {
    return { refused: 'The signature of the passkey is wrong.' };
  }
  return { id, challenge: clientData.challenge };
}

/** The refusal of a challenge that has ended, was used, or is not ours. */
export const tooLate: Refused = {
  refused: 'That took too long, or was sent twice. Try again.',
};

const unreadable: Refused = { refused: 'The answer of the browser could not be read.' };

interface Credential {
  readonly id: string;
  readonly response: Readonly<Record<string, unknown>>;
}

function credentialIn(sent: unknown): Credential | undefined {
  if (!isObject(sent)) return undefined;
  const { id, rawId, type, response } = sent;
  if (typeof id !== 'string' || id === '' || id.length > idCharsMax) return undefined;
  if (fromBase64Url(id) === undefined || (rawId !== undefined && rawId !== id)) return undefined;
  return type === 'public-key' && isObject(response) ? { id, response } : undefined;
}

function bytesIn(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length > limits.signInBodyBytesMax) return undefined;
  return fromBase64Url(value);
}

/** Checks what the browser, not the authenticator, says: for which page and challenge it was. */
function checkClientData(
  response: Credential['response'],
  type: 'webauthn.create' | 'webauthn.get',
  { site, isOpen }: Expected,
): { readonly bytes: Uint8Array; readonly challenge: string } | Refused {
  const bytes = bytesIn(response['clientDataJSON']);
  const read = bytes === undefined ? undefined : readJson(bytes);
  if (bytes === undefined || read?.kind !== 'value' || !isObject(read.value)) return unreadable;
  const { type: sentType, challenge, origin, crossOrigin } = read.value;
  if (sentType !== type || typeof challenge !== 'string') return unreadable;
  if (origin !== site.origin || crossOrigin === true) {
    return { refused: 'The passkey answered to another website.' };
  }
  if (!isOpen(challenge)) {
    return tooLate;
  }
  return { bytes, challenge };
}

function checkAuthenticatorData(
  bytes: Uint8Array,
  { crypto, site }: Expected,
): NonNullable<ReturnType<typeof readAuthenticatorData>> | Refused {
  const data = readAuthenticatorData(bytes);
  if (data === undefined) return unreadable;
  if (!crypto.isEqual(data.hostHash, crypto.sha256(site.host))) {
    return { refused: 'The passkey is for another website.' };
  }
  if (!data.isPresent || !data.isVerified) {
    return { refused: 'The passkey has not checked who you are (finger, face or PIN).' };
  }
  return data;
}

function isSameId(bytes: Uint8Array, id: string): boolean {
  const sent = fromBase64Url(id);
  return sent?.length === bytes.length && sent.every((byte, at) => byte === bytes[at]);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
