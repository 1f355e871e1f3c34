import { rights, servedToolsets } from '../../base/caller.ts';
import { isObject } from '../../base/json.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isVaultPath } from '../../base/vault-path.ts';
import type { EnteredClient, Grant, TokenPair } from '../../oauth/ports/oauth-book.ts';

/** What the file of an `OAuthBook` has. */
export interface OAuthPage {
  readonly version: typeof pageVersion;
  /** In base64url. */
  readonly key: string;
  readonly grants: readonly Grant[];
  readonly clients: readonly EnteredClient[];
}

export const pageVersion = 1;

/**
 * The page in the text of a file. Fails when it is damaged or was written by another version of the
 * program: a guess could let anyone in, or let in again whoever was turned out.
 */
export function oauthPageIn(file: string, text: string): OAuthPage {
  const page = pageIn(text);
  if (page?.version !== undefined && page.version !== pageVersion) {
    throw new VaultError(
      'io_failed',
      `"${file}" was written by a newer version of Vaultdoor; run that version, or move the file away and let your programs sign in again.`,
    );
  }
  if (page !== undefined && isWhole(page)) return page;
  throw new VaultError(
    'io_failed',
    `"${file}" is damaged; move it away, restart the server, and let your programs sign in again.`,
  );
}

type Fields<T> = { readonly [K in keyof T]?: unknown };

function pageIn(text: string): Fields<OAuthPage> | undefined {
  try {
    const page: unknown = JSON.parse(text);
    return isObject(page) ? page : undefined;
  } catch {
    return undefined;
  }
}

function isWhole(page: Fields<OAuthPage>): page is OAuthPage {
  return (
    page.version === pageVersion &&
    typeof page.key === 'string' &&
    /^[\w-]{43}$/.test(page.key) &&
    isListOf(page.grants, isGrant) &&
    isListOf(page.clients, isEnteredClient)
  );
}

function isGrant(value: unknown): boolean {
  if (!isObject(value)) return false;
  const grant: Fields<Grant> = value;
  const { client, ended } = grant as { readonly client: unknown; readonly ended?: unknown };
  return (
    typeof grant.id === 'string' &&
    /^g[0-9a-f]{16}$/.test(grant.id) &&
    isObject(client) &&
    [client['id'], client['name'], client['kind'], client['answersTo']].every(isText) &&
    isListOf(grant.effects, isRight) &&
    isListOf(grant.folders, (folder) => folder === '' || (isText(folder) && isVaultPath(folder))) &&
    isListOf(grant.tools, (tool) => (servedToolsets as readonly unknown[]).includes(tool)) &&
    isListOf(grant.vaults, isText) &&
    isText(grant.resource) &&
    isTime(grant.createdMs) &&
    [grant.endsMs, grant.usedMs].every(isTimeOrAbsent) &&
    (ended === undefined || (isObject(ended) && isTime(ended['atMs']) && isText(ended['why']))) &&
    isListOf(grant.pairs, isPair)
  );
}

function isPair(value: unknown): boolean {
  if (!isObject(value)) return false;
  const pair: Fields<TokenPair> = value;
  return (
    [pair.access, pair.refresh].every(isHash) &&
    (pair.from === undefined || isHash(pair.from)) &&
    [pair.madeMs, pair.accessEndsMs].every(isTime) &&
    [pair.spentMs, pair.usedMs, pair.droppedMs].every(isTimeOrAbsent) &&
    (pair.effects === undefined || isListOf(pair.effects, isRight)) &&
    (pair.isFollowed === undefined || pair.isFollowed === true)
  );
}

function isEnteredClient(value: unknown): boolean {
  if (!isObject(value)) return false;
  const client: Fields<EnteredClient> = value;
  return (
    [client.id, client.name].every(isText) &&
    isListOf(client.redirectUris, isText) &&
    (client.secret === undefined || isHash(client.secret)) &&
    isTime(client.createdMs)
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRight(value: unknown): boolean {
  return (rights as readonly unknown[]).includes(value);
}

function isHash(value: unknown): boolean {
  return isText(value) && /^[0-9a-f]{64}$/.test(value);
}

function isTime(value: unknown): boolean {
  return Number.isFinite(value);
}

function isTimeOrAbsent(value: unknown): boolean {
  return value === undefined || isTime(value);
}
