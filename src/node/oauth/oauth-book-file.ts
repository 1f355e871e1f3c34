import { randomBytes } from 'node:crypto';
import type { Grant, OAuthBook } from '../../oauth/ports/oauth-book.ts';
import { type OAuthPage, oauthPageIn, pageVersion } from './oauth-page.ts';
import { PageFile } from './page-file.ts';

interface OAuthBookParts {
  readonly file: string;
  /** Runs its work while no other process changes the files in this folder. */
  readonly alone: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
}

/** A page, and where each grant is on it, so that a look-up does not go through all of them. */
interface OpenPage {
  readonly page: OAuthPage;
  readonly byId: ReadonlyMap<string, Grant>;
  /** By the hashes of the tokens. */
  readonly byHash: ReadonlyMap<string, Grant>;
}

const keyBytes = 32;

/**
 * Opens the file with what signing in leaves behind. It is made when something is first written. If
 * it cannot be read, or is damaged, every call fails.
 */
export function openOAuthBook({ file, alone }: OAuthBookParts): OAuthBook {
  const kept = new PageFile<OpenPage>({
    file,
    alone,
    parse: (text) => openPage(oauthPageIn(file, text)),
    textOf: ({ page }) => `${JSON.stringify(page)}\n`,
  });

  /** Reads the page, which is empty at first, and writes what `decide` wants to keep. */
  const change = <T>(
    decide: (open: OpenPage) => { readonly keep?: OAuthPage; readonly answer: T },
  ): Promise<T> =>
    kept.change((found) => {
      const { keep, answer } = decide(found ?? openPage(emptyPage()));
      return keep === undefined ? { answer } : { keep: openPage(keep), answer };
    });

  return {
    async key() {
      const found = (await kept.read())?.page.key;
      // An empty page has a new key, so it must be written before the key is used.
      const key = found ?? (await change(({ page }) => ({ keep: page, answer: page.key })));
      return new Uint8Array(Buffer.from(key, 'base64url'));
    },
    async grants() {
      return (await kept.read())?.page.grants ?? [];
    },
    async grant(id) {
      return (await kept.read())?.byId.get(id);
    },
    async grantOf(sha256) {
      return (await kept.read())?.byHash.get(sha256);
    },
    change(id, decide) {
      return change(({ page, byId }) => {
        const { keep, answer } = decide(byId.get(id));
        if (keep === undefined) return { answer };
        return { keep: { ...page, grants: withGrant(page.grants, id, keep) }, answer };
      });
    },
    async clients() {
      return (await kept.read())?.page.clients ?? [];
    },
    changeClients(decide) {
      return change(({ page }) => {
        const { keep, answer } = decide(page.clients);
        return keep === undefined ? { answer } : { keep: { ...page, clients: keep }, answer };
      });
    },
  };
}

function emptyPage(): OAuthPage {
  const key = randomBytes(keyBytes).toString('base64url');
  return { version: pageVersion, key, grants: [], clients: [] };
}

function openPage(page: OAuthPage): OpenPage {
  const byId = new Map(page.grants.map((grant) => [grant.id, grant]));
  const byHash = new Map<string, Grant>();
  for (const grant of page.grants) {
    for (const { access, refresh } of grant.pairs) byHash.set(access, grant).set(refresh, grant);
  }
  return { page, byId, byHash };
}

/** The grants with one of them changed, forgotten or added. */
function withGrant(grants: readonly Grant[], id: string, keep: Grant | 'forget'): readonly Grant[] {
  if (keep === 'forget') return grants.filter((grant) => grant.id !== id);
  const isThere = grants.some((grant) => grant.id === id);
  return isThere ? grants.map((grant) => (grant.id === id ? keep : grant)) : [...grants, keep];
}
