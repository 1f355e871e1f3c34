import { createHash, randomBytes } from 'node:crypto';
import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import {
  hasEnded,
  keptOf,
  meantToken,
  newKeptToken,
  shownToken,
  type TokenBook,
  type TokenEntry,
  withRoomFor,
} from '../../oauth/ports/token-book.ts';
import type { Postgres } from '../connection/postgres.ts';
import { type Sql, sql } from '../connection/sql.ts';
import type { BookVersions } from './book-versions.ts';
import { type BookPage, type Entries, PostgresBook } from './postgres-book.ts';

/** A row as `entrySql` answers it. `vaults` has keys (`vaultKey`); which they are, is in `token_vault`. */
interface TokenRow {
  readonly kept: Omit<TokenEntry, 'vaults'> & { readonly isLimited?: true };
  readonly vaults: readonly string[];
}

const entrySql = `CASE WHEN entry IS NOT NULL THEN '{"kept":' || entry || ',"vaults":' || coalesce((
  SELECT json_agg(vault.id || '/' || vault.name ORDER BY vault.name)::text
  FROM token_vault JOIN vault ON vault.id = token_vault.vault
  WHERE token_vault.token = token.id), '[]') || '}' END`;

const tokenBytes = 32;
const idBytes = 4;

/** The tokens of a cluster. Each is for all vaults, or for those that it names. */
export function openPostgresTokenBook(parts: {
  readonly postgres: Postgres;
  readonly versions: BookVersions;
  readonly clock: Clock;
}): TokenBook {
  const { postgres, versions, clock } = parts;
  const book = new PostgresBook({ postgres, versions, name: 'token', tables: { token: entrySql } });
  /** The tokens of the last page by their hashes. */
  let looked:
    | { readonly page: BookPage<'token'>; readonly byHash: ReadonlyMap<string, TokenEntry> }
    | undefined;
  const tokenIn = (page: BookPage<'token'>, sha256: string): TokenEntry | undefined => {
    if (looked?.page !== page) {
      const entries = entriesOf(page.token, (key) => key);
      looked = { page, byHash: new Map(entries.map((entry) => [entry.sha256, entry])) };
    }
    return looked.byHash.get(sha256);
  };
  return {
    async create(wanted) {
      const token = `vd_${randomBytes(tokenBytes).toString('base64url')}`;
      const id = randomBytes(idBytes).toString('hex');
      const kept = newKeptToken(wanted, { id, createdMs: clock.nowMs() });
      const sha256 = createHash('sha256').update(token).digest('hex');
      await checkVaults(postgres, kept.vaults ?? []);
      const { vaults, ...entry } = { ...kept, sha256 };
      const row: TokenRow['kept'] = vaults === undefined ? entry : { ...entry, isLimited: true };
      await book.change((page) => {
        const room = { name: kept.name, max: clusterLimits.tokensMax };
        withRoomFor(room, entriesOf(page.token));
        return {
          keep: [{ table: 'token', id, entry: row }],
          also: vaults === undefined ? [] : [namedVaults(id, vaults)],
          answer: undefined,
        };
      });
      return { token, kept };
    },
    async list() {
      return entriesOf((await book.read()).token).map(keptOf);
    },
    revoke: (idOrName) =>
      book.change((page) => {
        const meant = meantToken(entriesOf(page.token), idOrName);
        return {
          keep: [{ table: 'token', id: meant.id }],
          also: [sql`DELETE FROM token_vault WHERE token = ${meant.id}`],
          answer: keptOf(meant),
        };
      }),
    async find(sha256) {
      const hash = Buffer.from(sha256).toString('hex');
      const found = tokenIn(await book.read(), hash) ?? tokenIn(await book.readNewest(), hash);
      return found === undefined ? undefined : shownToken(found, clock.nowMs());
    },
    async isValid(id) {
      const row = (await book.read()).token.get(id) as TokenRow | undefined;
      return row !== undefined && !hasEnded(row.kept, clock.nowMs());
    },
  };
}

/** The tokens, with the names of their vaults or with what else is shown for their keys. */
function entriesOf(
  rows: Entries,
  shown: (key: string) => string = nameInKey,
): readonly TokenEntry[] {
  return [...rows.values()].map((row) => {
    const { kept, vaults } = row as TokenRow;
    const { isLimited, ...entry } = kept;
    return isLimited === true ? { ...entry, vaults: vaults.map(shown) } : entry;
  });
}

function nameInKey(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

async function checkVaults(postgres: Postgres, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const rows = await postgres.all<{ name: string }>(
    sql`SELECT name FROM vault WHERE name = ANY(${names}::text[])`,
  );
  const missing = names.find((name) => rows.every((row) => row.name !== name));
  if (missing === undefined) return;
  throw new VaultError(
    'vault_not_found',
    `There is no vault "${missing}" in the cluster; "vaultdoor cluster status" lists them.`,
  );
}

function namedVaults(token: string, names: readonly string[]): Sql {
  return sql`INSERT INTO token_vault (token, vault)
    SELECT ${token}, id FROM vault WHERE name = ANY(${names}::text[])`;
}
