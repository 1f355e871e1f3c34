import {
  createHash,
  createHmac,
  createPublicKey,
  randomBytes,
  scrypt,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { OAuthCrypto, ScryptCost } from '../../oauth/ports/oauth-crypto.ts';

const scryptBytes = 32;
/** Node allows 32 MiB by itself, which is exactly too little for the cost that we use. */
const scryptMemoryBytes = 64 * 1024 * 1024;

const scryptOf = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** Randomness, hashes and signatures of Node. */
export const nodeOAuthCrypto: OAuthCrypto = {
  random: (bytes) => new Uint8Array(randomBytes(bytes)),
  sha256: (data) => new Uint8Array(createHash('sha256').update(data).digest()),
  hmac: (key, text) => new Uint8Array(createHmac('sha256', key).update(text).digest()),
  isEqual: (one, other) => one.length === other.length && timingSafeEqual(one, other),
  scrypt: async (passphrase, salt, { n, r, p }: ScryptCost) => {
    const options = { N: n, r, p, maxmem: scryptMemoryBytes };
    return new Uint8Array(await scryptOf(passphrase, salt, scryptBytes, options));
  },
  verify({ algorithm, jwk }, data, signature) {
    try {
      const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
      // The signatures of Ed25519 hash by themselves.
      return verify(algorithm === -8 ? null : 'sha256', data, key, signature);
    } catch {
      return false;
    }
  },
};
