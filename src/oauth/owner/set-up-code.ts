import { limits } from '../../base/limits.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import type { OwnerPage, SetUpCode } from '../ports/owner-book.ts';
import { sha256Hex } from '../text/hex.ts';

/** Base32 without I, L, O and U, which are easily misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeChars = 20;

/** A new set-up code, such as `8K3M-…`: 100 random bits in groups of four characters. */
export function newSetUpCode(crypto: OAuthCrypto): string {
  const characters = Array.from(crypto.random(codeChars), (byte) => alphabet[byte % 32]).join('');
  return characters.replace(/.{4}(?=.)/g, '$&-');
}

/** What is kept of a new set-up code. */
export function keptCode(crypto: OAuthCrypto, code: string, nowMs: number): SetUpCode {
  return {
    sha256: hashOf(crypto, code),
    endsMs: nowMs + limits.setUpCodeMs,
    triesLeft: limits.setUpTriesMax,
  };
}

/** Whether somebody can be set up as the owner now. */
export function isOpenToSetUp({ owner, setUp }: OwnerPage, nowMs: number): boolean {
  return owner === undefined && setUp !== undefined && setUp.triesLeft > 0 && nowMs < setUp.endsMs;
}

/** The hash of a code as it was typed: in any case, with or without dashes and spaces. */
export function hashOf(crypto: OAuthCrypto, code: string): string {
  const typed = code.slice(0, 100).toUpperCase().replace(/[\s-]/g, '');
  return sha256Hex(crypto, typed.replaceAll('O', '0').replace(/[IL]/g, '1'));
}
