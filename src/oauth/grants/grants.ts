import { commonRights, type Right, type ServedToolset } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { steadyClock } from '../../base/steady-clock.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { type BriefBooks, memoryBriefBooks } from '../ports/brief-book.ts';
import type { Allowed, Grant, GrantClient, GrantEnd, OAuthBook } from '../ports/oauth-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { sha256Hex, toHex } from '../text/hex.ts';
import { Codes, type Promised, type SentCode } from './codes.ts';
import { endOf, forgottenGrants } from './grant-end.ts';
import { type Issuer, resourceMeant } from './issuer.ts';
import { giveTokens, makeTokens } from './new-tokens.ts';
import { rightsLeft } from './scope-words.ts';
import { isAccessLive, refreshPairs, withPair, withUse } from './token-pairs.ts';

/** The answer of `/token` that lets a client in. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** In seconds. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** The answer of `/token` that does not let a client in. */
export interface TokenError {
  readonly error:
    | 'invalid_grant'
    | 'invalid_request'
    | 'invalid_scope'
    | 'invalid_target'
    | 'unsupported_grant_type';
  readonly error_description: string;
}

/** Whom an access token lets in, and to what. */
interface FoundAccess {
  /** The id of the grant. */
  readonly id: string;
  readonly effects: readonly Right[];
  readonly folders: readonly VaultFolder[];
  readonly tools: readonly ServedToolset[];
  /** The vaults that were served when it was allowed. */
  readonly vaults: readonly string[];
}

interface GrantsParts {
  readonly book: OAuthBook;
  readonly crypto: OAuthCrypto;
  readonly nowMs: () => number;
  /** The paths of the vaults that are served. */
  readonly vaults: readonly string[];
  /** Whether a grant holds where other vaults are served too, for those that it names alone. */
  readonly isForNamedVaults?: boolean;
  readonly issuers: readonly Issuer[];
  /** How long an access token holds. */
  readonly accessMs: number;
  /** Where codes are kept; in memory if absent. */
  readonly brief?: BriefBooks;
  /** Told what happens to a grant beside the answers of `/token`, for the log. */
  readonly onEvent?: (event: {
    readonly step: string;
    readonly grant: string;
    readonly client?: string;
  }) => void;
}

/** The answer to a refresh, and what the log says beside it. */
interface Refreshed {
  readonly answer: TokenAnswer | TokenError;
  readonly event?: string;
}

/**
 * What the owner has allowed, and the tokens that show it. Every call looks at the book as it is now.
 * Fails with the `VaultError` of the book where it cannot be read or written.
 */
export class Grants {
  readonly #parts: GrantsParts;
  readonly #nowMs: () => number;
  readonly #codes: Codes;
  readonly #served: string;

  constructor(parts: GrantsParts) {
    this.#parts = parts;
    this.#nowMs = steadyClock(parts.nowMs);
    const { crypto, brief = memoryBriefBooks({ crypto, nowMs: this.#nowMs }) } = parts;
    this.#codes = new Codes({ crypto, brief });
    this.#served = setOf(parts.vaults);
  }

  /**
   * Makes the code for what the owner has just allowed. The grant is written when the code is
   * exchanged. `change` is the id of a grant of the same client that is changed then, and keeps its
   * id; if that has ended, a new one is made. Fails with `too_large` when there are too many.
   */
  async issueCode(given: {
    readonly client: GrantClient;
    readonly redirectUri: string;
    readonly challenge: string;
    readonly resource: string;
    readonly allowed: Allowed;
    readonly change?: string;
    /** The paths of the vaults that the consent page named; all that are served if absent. */
    readonly vaults?: readonly string[];
  }): Promise<string> {
    const { change, vaults = this.#parts.vaults, ...promised } = given;
    await this.#forgetEnded();
    const live = await this.list();
    const changed = live.find(({ id, client }) => id === change && client.id === given.client.id);
    const soon = changed === undefined ? await this.#codes.newGrants() : 0;
    if (changed === undefined && live.length + soon >= limits.grantsMax) {
      throw new VaultError(
        'too_large',
        `There are ${limits.grantsMax} connections already; revoke some that are no longer needed.`,
      );
    }
    const grant = changed?.id ?? `g${toHex(this.#parts.crypto.random(8))}`;
    return this.#codes.issue({ ...promised, vaults, grant, isChange: changed !== undefined });
  }

  /** Exchanges a code for tokens, once. A code that is shown again ends its grant. */
  async exchange(
    sent: SentCode & { readonly resource?: readonly string[] },
  ): Promise<TokenAnswer | TokenError> {
    const taken = await this.#codes.take(sent, (own) => this.#isMeant(own, sent.resource));
    if (taken === 'refused') return badCode;
    if (taken === 'target') return badTarget;
    const { promised, how } = taken;
    if (how === 'replayed') {
      await this.#endReplayed(promised);
      return badCode;
    }
    try {
      const answer = await this.#write(promised);
      // Somebody may have shown it again before there was a grant to end, perhaps to another node.
      if (await this.#codes.isReplayed(sent.code)) await this.#endReplayed(promised);
      return answer ?? badCode;
    } catch (error) {
      await this.#codes.giveBack(sent.code).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Exchanges a refresh token for a new pair of tokens, in one transaction of the book. An old one
   * that is shown again ends its grant, except as `refreshPairs` says.
   */
  async refresh(sent: {
    readonly client: string;
    readonly refreshToken: string;
    readonly scope?: string;
    readonly resource?: readonly string[];
  }): Promise<TokenAnswer | TokenError> {
    const { book, crypto, accessMs } = this.#parts;
    const refresh = sha256Hex(crypto, sent.refreshToken);
    const found = await book.grantOf(refresh);
    if (found === undefined) return badRefresh;
    const tokens = makeTokens(crypto);
    const nowMs = this.#nowMs();
    const { answer, event } = await book.change<Refreshed>(found.id, (grant) => {
      if (grant?.client.id !== sent.client) return { answer: { answer: badRefresh } };
      const ended = endOf(grant, nowMs);
      if (ended !== undefined) return { answer: { answer: endedRefresh[ended.why] } };
      if (!this.#holds(grant, nowMs)) return { answer: { answer: badRefresh } };
      if (!this.#isMeant(grant.resource, sent.resource)) return { answer: { answer: badTarget } };
      const effects = rightsLeft(sent.scope, grant.effects);
      if (effects === undefined) return { answer: { answer: badScope } };
      const given = { crypto, allowed: grant, effects, accessMs, nowMs };
      const { pair, answer } = giveTokens(tokens, given);
      const refreshed = refreshPairs(grant.pairs, { refresh, made: pair, nowMs });
      switch (refreshed.how) {
        case 'refused':
          return { answer: { answer: badRefresh } };
        case 'replayed':
          return {
            keep: { ...grant, ended: { atMs: nowMs, why: 'replayed' } },
            answer: { answer: badRefresh, event: 'an old refresh token was shown again' },
          };
        case 'lost':
          return {
            keep: { ...grant, pairs: refreshed.pairs },
            answer: { answer, event: 'the client had not got the last refresh' },
          };
        default:
          return { keep: { ...grant, pairs: refreshed.pairs }, answer: { answer } };
      }
    });
    if (event !== undefined) this.#tell(event, found);
    return answer;
  }

  /** Ends the grant of a token, if it belongs to this client. Does nothing for any other token. */
  async revokeToken(sent: { readonly client: string; readonly token: string }): Promise<void> {
    const grant = await this.#parts.book.grantOf(sha256Hex(this.#parts.crypto, sent.token));
    if (grant?.client.id === sent.client) await this.end(grant.id, 'client');
  }

  /**
   * What an access token gives, by its SHA-256. `ended`: it was one of ours and holds no longer, or
   * it is for other vaults, or for an address that the server no longer has. Undefined: unknown.
   */
  async findAccess(sha256: Uint8Array): Promise<FoundAccess | 'ended' | undefined> {
    const access = toHex(sha256);
    const grant = await this.#parts.book.grantOf(access);
    const pair = grant?.pairs.find((one) => one.access === access);
    if (grant === undefined || pair === undefined) return undefined;
    const nowMs = this.#nowMs();
    if (!this.#holds(grant, nowMs) || !isAccessLive(pair, nowMs)) return 'ended';
    if (pair.usedMs === undefined) await this.#markUse(grant.id, access, nowMs);
    else if (isLongAgo(grant.usedMs, nowMs)) {
      // Whoever is let in should not wait for room on the disk because of a time that is only shown.
      await this.#markUse(grant.id, access, nowMs).catch(() => undefined);
    }
    const { id, effects, folders, tools, vaults } = grant;
    return {
      id,
      vaults,
      effects: pair.effects === undefined ? effects : commonRights(pair.effects, effects),
      folders,
      tools,
    };
  }

  /**
   * Whether the grant with this id lives, for the vaults and addresses of this server; and is for
   * `folders`, unless the owner has chosen others meanwhile.
   */
  async isAlive(id: string, folders?: readonly VaultFolder[]): Promise<boolean> {
    const grant = await this.#parts.book.grant(id);
    if (grant === undefined || !this.#holds(grant, this.#nowMs())) return false;
    return folders === undefined || setOf(folders) === setOf(grant.folders);
  }

  /** All grants that live, also those for other vaults. */
  async list(): Promise<readonly Grant[]> {
    const nowMs = this.#nowMs();
    const grants = await this.#parts.book.grants();
    return grants.filter((grant) => endOf(grant, nowMs) === undefined);
  }

  /** The grants that have ended lately, each with its end. */
  async listEnded(): Promise<readonly Grant[]> {
    const nowMs = this.#nowMs();
    return (await this.#parts.book.grants()).flatMap((grant) => {
      const ended = endOf(grant, nowMs);
      return ended === undefined ? [] : [{ ...grant, ended }];
    });
  }

  /** The grants of a client that live, for the vaults that are served. */
  async liveOf(clientId: string): Promise<readonly Grant[]> {
    const nowMs = this.#nowMs();
    const grants = await this.#parts.book.grants();
    return grants.filter((grant) => grant.client.id === clientId && this.#holds(grant, nowMs));
  }

  /** Ends a grant with all its tokens. Undefined when there is none that lives. */
  async end(id: string, why: GrantEnd): Promise<Grant | undefined> {
    const nowMs = this.#nowMs();
    const ended = await this.#parts.book.change(id, (grant) => {
      if (grant === undefined || endOf(grant, nowMs) !== undefined) return { answer: undefined };
      const keep: Grant = { ...grant, ended: { atMs: nowMs, why } };
      return { keep, answer: keep };
    });
    if (ended !== undefined) this.#tell(`connection ended: ${why}`, ended);
    return ended;
  }

  /** Ends all grants that live, and the codes for which there would be one soon. Answers how many. */
  async endAll(why: GrantEnd): Promise<number> {
    await this.#codes.forgetAll();
    const all = await this.list();
    for (const { id } of all) await this.end(id, why);
    return all.length;
  }

  async #endReplayed({ grant }: Promised): Promise<void> {
    const ended = await this.end(grant, 'replayed');
    if (ended !== undefined) this.#tell('a code was shown again', ended);
  }

  /** Writes what a code stands for. Undefined when the grant to be changed has ended meanwhile. */
  #write(promised: Promised): Promise<TokenAnswer | undefined> {
    const { book, crypto, accessMs } = this.#parts;
    const { client, resource, allowed, vaults, grant: id, isChange } = promised;
    const nowMs = this.#nowMs();
    const given = { crypto, allowed, effects: allowed.effects, accessMs, nowMs };
    const { pair, answer } = giveTokens(makeTokens(crypto), given);
    return book.change<TokenAnswer | undefined>(id, (old) => {
      // A new grant is there already if the same code was written before and that seemed to fail.
      const isGone = old === undefined ? isChange : endOf(old, nowMs) !== undefined;
      if (isGone) return { answer: undefined };
      const keep: Grant = {
        ...allowed,
        id,
        client,
        vaults,
        resource,
        createdMs: old?.createdMs ?? nowMs,
        ...(old?.usedMs === undefined ? {} : { usedMs: old.usedMs }),
        // Tokens that the client got earlier go on, with what is allowed now.
        pairs: withPair(old?.pairs ?? [], pair, nowMs),
      };
      return { keep, answer };
    });
  }

  async #markUse(id: string, access: string, nowMs: number): Promise<void> {
    await this.#parts.book.change(id, (grant) => {
      const pair = grant?.pairs.find((one) => one.access === access);
      const isKnown = pair?.usedMs !== undefined && !isLongAgo(grant?.usedMs, nowMs);
      if (grant === undefined || pair === undefined || isKnown) return { answer: undefined };
      const usedMs = isLongAgo(grant.usedMs, nowMs) ? nowMs : grant.usedMs;
      const pairs = withUse(grant.pairs, pair, nowMs);
      return {
        keep: { ...grant, ...(usedMs === undefined ? {} : { usedMs }), pairs },
        answer: undefined,
      };
    });
  }

  async #forgetEnded(): Promise<void> {
    const nowMs = this.#nowMs();
    for (const { id } of forgottenGrants(await this.#parts.book.grants(), nowMs)) {
      await this.#parts.book.change(id, (grant) =>
        grant !== undefined && endOf(grant, nowMs) !== undefined
          ? { keep: 'forget', answer: undefined }
          : { answer: undefined },
      );
    }
  }

  /** Whether a grant lives, for the vaults that are served, at an address of this server. */
  #holds(grant: Grant, nowMs: number): boolean {
    return (
      endOf(grant, nowMs) === undefined &&
      (this.#parts.isForNamedVaults === true || setOf(grant.vaults) === this.#served) &&
      this.#parts.issuers.some(({ resource }) => resource === grant.resource)
    );
  }

  /** Whether what a client sends as `resource` is nothing else than the resource of its grant. */
  #isMeant(own: string, sent: readonly string[] = []): boolean {
    const issuers = this.#parts.issuers.filter(({ resource }) => resource === own);
    return sent.every((resource) => resourceMeant(issuers, resource) !== undefined);
  }

  #tell(step: string, { id, client }: Grant): void {
    this.#parts.onEvent?.({ step, grant: id, client: client.name });
  }
}

const badCode = refused('invalid_grant', 'The code is unknown, was used, or is too old');
const badRefresh = refused(
  'invalid_grant',
  'The refresh token is unknown, was used, or is too old',
);
/** What the client of an ended grant is told, and the log says. */
const endedRefresh: Readonly<Record<GrantEnd, TokenError>> = {
  revoked: refused('invalid_grant', 'The owner has disconnected this app; it has to sign in again'),
  client: refused('invalid_grant', 'The app has ended its connection itself'),
  replayed: badRefresh,
  expired: refused('invalid_grant', 'The time that the owner allowed is over; sign in again'),
  idle: refused('invalid_grant', 'The app was not used for too long; it has to sign in again'),
};
const badTarget = refused('invalid_target', 'The resource is not the one that was allowed');
const badScope = refused('invalid_scope', 'This is more than was allowed');

function refused(error: TokenError['error'], description: string): TokenError {
  return { error, error_description: description };
}

/** A text that is the same for the same paths in any order. */
function setOf(paths: readonly string[]): string {
  return JSON.stringify(Array.from(new Set(paths)).sort());
}

/** Whether the kept time of the last use is too old to be left as it is. */
function isLongAgo(usedMs: number | undefined, nowMs: number): boolean {
  return usedMs === undefined || Math.abs(nowMs - usedMs) >= limits.grantUsedMs;
}
