import type { OAuthBook } from '../../oauth/ports/oauth-book.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { openSignInBooks, openVaultTokens } from './server-files.ts';

/** The names of a vault's tokens, and of the clients that have signed in, by the ids of tokens and grants. */
export type TokenNames = ReadonlyMap<string, string>;

/** A row of an answer with the name of its token or grant, where that is known. */
export function withTokenName<Row extends { readonly token?: string }>(
  row: Row,
  names: TokenNames,
): Row & { readonly tokenName?: string } {
  const tokenName = row.token === undefined ? undefined : names.get(row.token);
  return tokenName === undefined ? row : { ...row, tokenName };
}

/**
 * The names by the ids of tokens and grants. None where a file cannot be read, because names only help
 * to recognise one. Grants that have ended are left out, unless they are asked for.
 */
export async function tokenNames(
  choice: VaultChoice,
  { env }: Pick<Shell, 'env'>,
  { ended: withEnded = false }: { readonly ended?: boolean } = {},
): Promise<TokenNames> {
  const books = { tokens: openVaultTokens([choice], env), oauth: openSignInBooks(env).oauth };
  return namesInBooks(books, { ended: withEnded });
}

/** The same of the tokens and grants in these books. */
export async function namesInBooks(
  books: { readonly tokens: TokenBook; readonly oauth: OAuthBook },
  { ended: withEnded = false }: { readonly ended?: boolean } = {},
): Promise<TokenNames> {
  const tokens = await books.tokens.list().catch(() => []);
  const grants = await books.oauth.grants().catch(() => []);
  return new Map([
    ...tokens.map(({ id, name }): [string, string] => [id, name]),
    ...grants.flatMap(({ id, client, ended }): [string, string][] =>
      ended === undefined || withEnded ? [[id, client.name]] : [],
    ),
  ]);
}
