import type { EnteredClient, Grant, OAuthBook } from '../../oauth/ports/oauth-book.ts';
import type { Postgres } from '../connection/postgres.ts';
import type { BookVersions } from './book-versions.ts';
import { keyFor } from './cluster-keys.ts';
import { type BookPage, changesTo, PostgresBook } from './postgres-book.ts';

type Page = BookPage<'oauth_grant' | 'oauth_client'>;

/** What signing in leaves behind, for all nodes of a cluster. */
export function openPostgresOAuthBook(parts: {
  readonly postgres: Postgres;
  readonly versions: BookVersions;
}): OAuthBook {
  const book = new PostgresBook({
    ...parts,
    name: 'oauth',
    tables: { oauth_grant: 'entry', oauth_client: 'entry' },
  });
  let looked: { readonly page: Page; readonly byHash: ReadonlyMap<string, Grant> } | undefined;
  const grantIn = (page: Page, sha256: string): Grant | undefined => {
    if (looked?.page !== page) looked = { page, byHash: hashesOf(page) };
    return looked.byHash.get(sha256);
  };
  return {
    key: keyFor(parts.postgres, 'oauth'),
    async grants() {
      return grantsOf(await book.read());
    },
    async grant(id) {
      return (await book.read()).oauth_grant.get(id) as Grant | undefined;
    },
    async grantOf(sha256) {
      return grantIn(await book.read(), sha256) ?? grantIn(await book.readNewest(), sha256);
    },
    change: (id, decide) =>
      book.change((page) => {
        const found = page.oauth_grant.get(id) as Grant | undefined;
        const { keep, answer } = decide(found);
        if (keep === undefined || (keep === 'forget' && found === undefined)) return { answer };
        const entry = keep === 'forget' ? {} : { entry: keep };
        return { keep: [{ table: 'oauth_grant', id, ...entry }], answer };
      }),
    async clients() {
      return clientsOf(await book.read());
    },
    changeClients: (decide) =>
      book.change((page) => {
        const { keep, answer } = decide(clientsOf(page));
        if (keep === undefined) return { answer };
        const wanted = new Map(keep.map((client) => [client.id, client]));
        return { keep: changesTo('oauth_client', page.oauth_client, wanted), answer };
      }),
  };
}

function grantsOf(page: Page): readonly Grant[] {
  return [...page.oauth_grant.values()] as Grant[];
}

function clientsOf(page: Page): readonly EnteredClient[] {
  return [...page.oauth_client.values()] as EnteredClient[];
}

function hashesOf(page: Page): ReadonlyMap<string, Grant> {
  const byHash = new Map<string, Grant>();
  for (const grant of grantsOf(page)) {
    for (const { access, refresh } of grant.pairs) byHash.set(access, grant).set(refresh, grant);
  }
  return byHash;
}
