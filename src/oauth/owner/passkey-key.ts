import type { PasskeyAlgorithm, PublicKey } from '../ports/oauth-crypto.ts';
import { toBase64Url } from '../text/base64url.ts';
import type { Cbor } from './cbor.ts';

/** The algorithms of passkeys, the preferred one first. */
export const passkeyAlgorithms: readonly PasskeyAlgorithm[] = [-7, -8, -257];

/** The labels of COSE keys (RFC 9052, 9053, 8230); -1 to -3 mean something else for each type. */
const labels = { type: 1, algorithm: 3, curveOrN: -1, xOrE: -2, y: -3 } as const;

const coordinateBytes = 32;
/** 2048 to 4096 bits. */
const modulusBytes = { min: 256, max: 512 };

/** The public key in a COSE key; undefined when it is of another kind, or too short to be safe. */
export function publicKeyIn(cose: Cbor): PublicKey | undefined {
  if (!(cose instanceof Map)) return undefined;
  const field = (name: keyof typeof labels): unknown => cose.get(labels[name]);
  const [type, algorithm, curveOrN] = [field('type'), field('algorithm'), field('curveOrN')];
  const [xOrE, y] = [field('xOrE'), field('y')];
  if (type === 2 && algorithm === -7 && curveOrN === 1 && isCoordinate(xOrE) && isCoordinate(y)) {
    const jwk = { kty: 'EC', crv: 'P-256', x: toBase64Url(xOrE), y: toBase64Url(y) };
    return { algorithm, jwk };
  }
  if (type === 1 && algorithm === -8 && curveOrN === 6 && isCoordinate(xOrE)) {
    return { algorithm, jwk: { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(xOrE) } };
  }
  if (type === 3 && algorithm === -257 && isModulus(curveOrN) && isExponent(xOrE)) {
    return { algorithm, jwk: { kty: 'RSA', n: toBase64Url(curveOrN), e: toBase64Url(xOrE) } };
  }
  return undefined;
}

function isCoordinate(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.length === coordinateBytes;
}

function isModulus(value: unknown): value is Uint8Array {
  if (!(value instanceof Uint8Array)) return false;
  const { length } = value;
  return length >= modulusBytes.min && length <= modulusBytes.max && value[0] !== 0;
}

/** The exponent of every real key is 65537. */
function isExponent(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && toBase64Url(value) === 'AQAB';
}
