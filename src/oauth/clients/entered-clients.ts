import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { EnteredClient, OAuthBook } from '../ports/oauth-book.ts';
import type { OAuthCrypto } from '../ports/oauth-crypto.ts';
import { toBase64Url } from '../text/base64url.ts';
import { sha256Hex, toHex } from '../text/hex.ts';
import { cleanName } from './clean-name.ts';
import { isAllowedRedirect } from './redirect-uri.ts';

const idBytes = 8;
const secretBytes = 32;

/**
 * Enters a client by hand. The secret, if one is wanted, cannot be read again later. Fails with
 * `invalid_input` for a name or address that cannot be taken, with `already_exists` when the name is
 * taken, and with `too_large` when there are too many clients.
 */
export async function createClient(
  book: Pick<OAuthBook, 'changeClients'>,
  crypto: OAuthCrypto,
  wanted: {
    readonly name: string;
    readonly redirectUris: readonly string[];
    readonly secret: boolean;
    readonly nowMs: number;
  },
): Promise<{ readonly client: EnteredClient; readonly secret?: string }> {
  const redirectUris = Array.from(new Set(wanted.redirectUris));
  const problem = problemOf(wanted.name, redirectUris);
  if (problem !== undefined) throw new VaultError('invalid_input', problem);
  const secret = wanted.secret ? `vds_${toBase64Url(crypto.random(secretBytes))}` : undefined;
  const client: EnteredClient = {
    id: `vde_${toHex(crypto.random(idBytes))}`,
    name: wanted.name,
    redirectUris,
    ...(secret === undefined ? {} : { secret: sha256Hex(crypto, secret) }),
    createdMs: wanted.nowMs,
  };
  const refusal = await book.changeClients((clients) => {
    const refused = refusalFor(client.name, clients);
    return refused === undefined
      ? { keep: [...clients, client], answer: undefined }
      : { answer: refused };
  });
  if (refusal !== undefined) throw refusal;
  return secret === undefined ? { client } : { client, secret };
}

/**
 * Removes the client with this id or name. Its connections are not ended here. Fails with `not_found`
 * or `ambiguous`.
 */
export async function revokeClient(
  book: Pick<OAuthBook, 'changeClients'>,
  idOrName: string,
): Promise<EnteredClient> {
  const found = await book.changeClients<EnteredClient | VaultError>((clients) => {
    const [first, ...others] = clients.filter(({ id, name }) => [id, name].includes(idOrName));
    if (first === undefined) {
      const message =
        'There is no client with this id or name; "vaultdoor client list" shows all clients.';
      return { answer: new VaultError('not_found', message) };
    }
    if (others.length > 0) {
      const message =
        'Several clients have this id or name; revoke one by its id, which "vaultdoor client ' +
        'list" shows.';
      return { answer: new VaultError('ambiguous', message) };
    }
    return { keep: clients.filter((client) => client !== first), answer: first };
  });
  if (found instanceof VaultError) throw found;
  return found;
}

function problemOf(name: string, redirectUris: readonly string[]): string | undefined {
  if (name === '' || cleanName(name) !== name) {
    return (
      `A client's name has 1 to ${limits.clientNameCharsMax} visible characters, and no spaces ` +
      'at its ends or two in a row.'
    );
  }
  if (redirectUris.length === 0 || redirectUris.length > limits.registeredRedirectsMax) {
    return (
      `A client has 1 to ${limits.registeredRedirectsMax} redirect addresses; give each with ` +
      '--redirect.'
    );
  }
  if (redirectUris.every(isAllowedRedirect)) return undefined;
  return (
    'A redirect address begins with https:, with http: and 127.0.0.1, [::1] or localhost, or with ' +
    `the scheme of an app; it has no # and at most ${limits.redirectCharsMax} characters.`
  );
}

/** Why a client of this name cannot be added to these. */
function refusalFor(name: string, clients: readonly EnteredClient[]): VaultError | undefined {
  if (clients.some((client) => client.name === name)) {
    return new VaultError(
      'already_exists',
      `There is a client called "${name}" already; revoke it first, or choose another name.`,
    );
  }
  if (clients.length < limits.enteredClientsMax) return undefined;
  return new VaultError(
    'too_large',
    `There are at most ${limits.enteredClientsMax} clients entered by hand; revoke some.`,
  );
}
