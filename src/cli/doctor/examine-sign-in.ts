import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toVaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { openTokenBook } from '../../node/server/token-book.ts';
import { counted } from '../../tools/cli/text.ts';
import type { Shell } from '../shell/shell.ts';
import { machineGrants } from '../vaults/machine-grants.ts';
import { openSignInBooks } from '../vaults/server-files.ts';
import type { SeenVault } from './doctor-vaults.ts';
import { bad, command, type Finding, hidden, known, ok, said, warning } from './finding.ts';

/**
 * Who may come in over HTTP: the owner, the connections, the tokens. Counts only, no names.
 * `needsOwner` says that clients sign in to a server, which may be on another machine.
 */
export async function examineSignIn(
  vaults: readonly SeenVault[],
  { env, needsOwner }: { readonly env: Shell['env']; readonly needsOwner: boolean },
): Promise<readonly Finding[]> {
  return [
    await ownerFinding(env, needsOwner ? missingOwner : noOwner),
    await connectionsFinding(env),
    ...(await Promise.all(vaults.map(tokensFinding))).flat(),
  ];
}

const ownerSet = command(['owner', 'set']);
const noOwner = ok(
  'owner',
  said`Nobody is set. You need one for apps that sign in, such as claude.ai: "${ownerSet}".`,
);
const missingOwner = warning(
  'owner',
  said`Nobody is set on this machine. If the server runs here, nobody can sign in to it.`,
  said`Run "${ownerSet}" on the server, or open its page /owner/set-up and type the code that it has printed.`,
);

async function ownerFinding(env: Shell['env'], none: Finding): Promise<Finding> {
  // Reading a book of the owner that does not exist would make one.
  if (!existsSync(join(appFolders(env, process.platform).state, 'owner.json'))) return none;
  try {
    const { owner } = await openSignInBooks(env).owner.read();
    if (owner === undefined) return none;
    const keys = known(counted(owner.passkeys.length, 'passkey'));
    return ok('owner', said`You have set a passphrase, and have ${keys}.`);
  } catch (error) {
    return unreadable('owner', error);
  }
}

async function connectionsFinding(env: Shell['env']): Promise<Finding> {
  try {
    const grants = await machineGrants(openSignInBooks(env).oauth).list();
    return ok('connections', said`Apps that are signed in: ${grants.length}.`);
  } catch (error) {
    return unreadable('connections', error);
  }
}

async function tokensFinding({ name, path, folders }: SeenVault): Promise<readonly Finding[]> {
  if (folders === undefined) return [];
  try {
    const alone = (): never => {
      throw new Error('Nothing is written here.');
    };
    const book = openTokenBook({ folders: async () => [folders.state], alone, nowMs: Date.now });
    const tokens = await book.list();
    const ended = tokens.filter(({ expiresMs }) => (expiresMs ?? Infinity) <= Date.now()).length;
    const many = said`${name} has ${known(counted(tokens.length, 'token'))}`;
    if (ended === 0) return [ok('tokens', said`${many}.`)];
    return [
      warning(
        'tokens',
        said`${many}, of which ${ended} ended. Apps that use those are refused.`,
        said`"${command(['token', 'list'], path)}" shows them; revoke them and create new ones.`,
      ),
    ];
  } catch (error) {
    return [unreadable('tokens', error)];
  }
}

function unreadable(check: string, error: unknown): Finding {
  return bad(
    check,
    said`Its file cannot be read${hidden(`: ${toVaultError(error).message}`, '.')}`,
    said`While it is so, nobody is let in. Check its permissions, or delete it as the sentence above says.`,
  );
}
