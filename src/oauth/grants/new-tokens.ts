import type { Right } from '../../base/caller.ts';
import type { Allowed, TokenPair } from '../ports/oauth-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { toBase64Url } from '../text/base64url.ts';
import { sha256Hex } from '../text/hex.ts';
import type { TokenAnswer } from './grants.ts';
import { scopeOf } from './scope-words.ts';

/** How an access token begins; the door asks `Grants` about these tokens only. */
export const accessTokenPrefix = 'vda_';

/** Two new tokens, not given out yet. */
interface NewTokens {
  readonly access: string;
  readonly refresh: string;
}

/** Makes two tokens that nobody can guess. */
export function makeTokens(crypto: OAuthCrypto): NewTokens {
  return {
    access: `${accessTokenPrefix}${toBase64Url(crypto.random(32))}`,
    refresh: `vdr_${toBase64Url(crypto.random(32))}`,
  };
}

/**
 * What is kept of two tokens, and the answer that gives them to the client. `effects` is what the
 * client gets of what it is allowed.
 */
export function giveTokens(
  { access, refresh }: NewTokens,
  given: {
    readonly crypto: OAuthCrypto;
    readonly allowed: Pick<Allowed, 'effects' | 'endsMs'>;
    readonly effects: readonly Right[];
    readonly accessMs: number;
    readonly nowMs: number;
  },
): { readonly pair: TokenPair; readonly answer: TokenAnswer } {
  const { crypto, allowed, effects, accessMs, nowMs } = given;
  const accessEndsMs = Math.min(nowMs + accessMs, allowed.endsMs ?? Number.POSITIVE_INFINITY);
  const pair: TokenPair = {
    access: sha256Hex(crypto, access),
    refresh: sha256Hex(crypto, refresh),
    madeMs: nowMs,
    accessEndsMs,
    ...(scopeOf(effects) === scopeOf(allowed.effects) ? {} : { effects }),
  };
  const answer: TokenAnswer = {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor((accessEndsMs - nowMs) / 1000),
    refresh_token: refresh,
    scope: scopeOf(effects),
  };
  return { pair, answer };
}
