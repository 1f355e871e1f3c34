import type { PublicKey } from '../ports/oauth-crypto.ts';
import { readCbor } from './cbor.ts';
import { publicKeyIn } from './passkey-key.ts';

/** What an authenticator says in its answer (WebAuthn, "authenticator data"). */
interface AuthenticatorData {
  /** The SHA-256 of the name of the host that it answered. */
  readonly hostHash: Uint8Array;
  /** Whether somebody touched it, and whether it has checked who that was (finger, face, PIN). */
  readonly isPresent: boolean;
  readonly isVerified: boolean;
  /** The new passkey; only in the answer to a creation. */
  readonly made?: { readonly id: Uint8Array; readonly key: PublicKey | undefined };
}

const flags = { present: 0x01, verified: 0x04, made: 0x40, extensions: 0x80 };
const hashBytes = 32;
/** The hash, one byte with the flags, and a counter, which synced passkeys leave at zero. */
const headBytes = hashBytes + 1 + 4;
/** The kind of authenticator, which is not looked at, stands before the id of a passkey. */
const kindBytes = 16;

/** Reads authenticator data; undefined when it is not whole, or has more than it says. */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData | undefined {
  const flagByte = bytes[hashBytes];
  if (flagByte === undefined || bytes.length < headBytes) return undefined;
  const has = (flag: number): boolean => (flagByte & flag) !== 0;
  const said = {
    hostHash: bytes.slice(0, hashBytes),
    isPresent: has(flags.present),
    isVerified: has(flags.verified),
  };
  let rest = bytes.subarray(headBytes);
  let data: AuthenticatorData = said;
  if (has(flags.made)) {
    const found = readMade(rest);
    if (found === undefined) return undefined;
    data = { ...said, made: found.made };
    rest = rest.subarray(found.length);
  }
  const end = has(flags.extensions) ? readCbor(rest)?.length : 0;
  return end === rest.length ? data : undefined;
}

function readMade(
  bytes: Uint8Array,
): { readonly made: NonNullable<AuthenticatorData['made']>; readonly length: number } | undefined {
  const [high, low] = bytes.subarray(kindBytes);
  if (high === undefined || low === undefined) return undefined;
  const idAt = kindBytes + 2;
  const keyAt = idAt + high * 256 + low;
  if (keyAt > bytes.length) return undefined;
  const key = readCbor(bytes.subarray(keyAt));
  if (key === undefined) return undefined;
  return {
    made: { id: bytes.slice(idAt, keyAt), key: publicKeyIn(key.value) },
    length: keyAt + key.length,
  };
}
