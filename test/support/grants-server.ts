import { createHash } from 'node:crypto';
import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import { Grants } from '../../src/oauth/grants/grants.ts';
import { issuerOf } from '../../src/oauth/grants/issuer.ts';
import type { Allowed, GrantClient, OAuthBook } from '../../src/oauth/ports/oauth-book.ts';
import { memoryOAuthBook } from './memory-oauth-book.ts';

type GrantsParts = ConstructorParameters<typeof Grants>[0];
type Answer = Awaited<ReturnType<Grants['refresh']>>;

export const grantsStartMs = Date.UTC(2026, 10, 17);
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const claude: GrantClient = {
  id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  name: 'Claude',
  kind: 'known',
  answersTo: 'claude.ai',
};
export const callback = 'https://claude.ai/api/mcp/auth_callback';
export const allowed: Allowed = { effects: ['read', 'write'], folders: [''], tools: ['notes'] };

/** A book with a clock, and the grants of a server that can be restarted. */
export class GrantsServer {
  readonly book: OAuthBook;
  nowMs = grantsStartMs;
  grants: Grants;
  readonly events: string[] = [];
  readonly #parts: Partial<GrantsParts>;

  constructor(parts: Partial<GrantsParts> = {}) {
    this.book = parts.book ?? memoryOAuthBook();
    this.#parts = parts;
    this.grants = this.opened();
  }

  /** Another server on the same book. */
  opened(parts: Partial<GrantsParts> = {}): Grants {
    return new Grants({
      book: this.book,
      crypto: nodeOAuthCrypto,
      nowMs: () => this.nowMs,
      vaults: ['/home/me/notes'],
      issuers: ['https://vault.example.com'].flatMap((url) => issuerOf(url) ?? []),
      accessMs: 24 * 3_600_000,
      onEvent: ({ step, client }) => this.events.push(`${client}: ${step}`),
      ...this.#parts,
      ...parts,
    });
  }

  restart(parts: Partial<GrantsParts> = {}): void {
    this.grants = this.opened(parts);
  }

  /** A code for what the owner has allowed. */
  code(more: Partial<Parameters<Grants['issueCode']>[0]> = {}): Promise<string> {
    return this.grants.issueCode({
      client: claude,
      redirectUri: callback,
      challenge: createHash('sha256').update(verifier).digest('base64url'),
      resource: 'https://vault.example.com/mcp',
      allowed,
      ...more,
    });
  }

  exchange(code: string, more: Partial<Parameters<Grants['exchange']>[0]> = {}): Promise<Answer> {
    return this.grants.exchange({
      client: claude.id,
      code,
      redirectUri: callback,
      verifier,
      ...more,
    });
  }

  /** Signs in: the tokens of a new grant. */
  async signIn(more: Partial<Parameters<Grants['issueCode']>[0]> = {}): Promise<Tokens> {
    const client = more.client?.id ?? claude.id;
    return tokensOf(await this.exchange(await this.code(more), { client }));
  }

  refresh(
    refreshToken: string,
    more: Partial<Parameters<Grants['refresh']>[0]> = {},
  ): Promise<Answer> {
    return this.grants.refresh({ client: claude.id, refreshToken, ...more });
  }

  /** What the door learns about an access token. */
  find(token: string): ReturnType<Grants['findAccess']> {
    return this.grants.findAccess(createHash('sha256').update(token).digest());
  }

  /** Whether a token is let in (`in`), is one that has ended, or is unknown. */
  async state(token: string): Promise<'in' | 'ended' | 'unknown'> {
    const found = await this.find(token);
    return found === undefined ? 'unknown' : found === 'ended' ? 'ended' : 'in';
  }
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
  readonly seconds: number;
}

/** The tokens in an answer. Fails when it is a refusal. */
export function tokensOf(answer: Answer): Tokens {
  if ('error' in answer) throw new Error(`${answer.error}: ${answer.error_description}`);
  const { access_token, refresh_token, scope, expires_in } = answer;
  return { access: access_token, refresh: refresh_token, scope, seconds: expires_in };
}

/** The error of an answer, or `ok`. */
export function errorOf(answer: Answer): string {
  return 'error' in answer ? answer.error : 'ok';
}
