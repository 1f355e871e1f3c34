import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { Grants } from '../../oauth/grants/grants.ts';
import type { OAuthBook } from '../../oauth/ports/oauth-book.ts';

type ListedGrants = Pick<Grants, 'list' | 'end'>;

/**
 * The connections of clients to all servers of this machine, to list and to end them. Only a server
 * lets clients sign in, at its own vaults and addresses.
 */
export function machineGrants(book: OAuthBook): ListedGrants {
  const parts = { book, crypto: nodeOAuthCrypto, nowMs: Date.now };
  return new Grants({ ...parts, vaults: [], issuers: [], accessMs: 0 });
}

/** Ends all connections, and answers their ids. */
export async function revokeAll(grants: ListedGrants): Promise<readonly string[]> {
  const ids = (await grants.list()).map(({ id }) => id);
  for (const id of ids) await grants.end(id, 'revoked');
  return ids;
}
