import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { SessionBook } from '../../base/session-book.ts';
import { openOAuthBook } from '../../node/oauth/oauth-book-file.ts';
import { openOwnerBook } from '../../node/oauth/owner-book-file.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { LastCalls } from '../../node/server/last-calls.ts';
import {
  type LocalListener,
  listenLocal,
  localSocketPath,
} from '../../node/server/local-socket.ts';
import { openSessionBook } from '../../node/server/session-book.ts';
import { openTokenBook } from '../../node/server/token-book.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { OAuthBook } from '../../oauth/ports/oauth-book.ts';
import type { OwnerBook } from '../../oauth/ports/owner-book.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import { withLockFile } from '../../sqlite/lock/lock-file.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { makeStateFolder, vaultPlaces } from './vault-places.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The tokens of these vaults, kept in the state folder of each. These folders are made when they are
 * first needed, so the vaults need not exist yet.
 */
export function openVaultTokens(choices: readonly VaultChoice[], env: Env): TokenBook {
  let made: Promise<readonly string[]> | undefined;
  const make = async (choice: VaultChoice): Promise<string> => {
    const { root, folders } = vaultPlaces(choice, env);
    await makeStateFolder(root, folders);
    return folders.state;
  };
  return openTokenBook({
    folders: () => {
      made ??= Promise.all(choices.map(make)).catch((error: unknown) => {
        made = undefined; // The vault may be there the next time.
        throw error;
      });
      return made;
    },
    alone: withBooksLock,
    nowMs: Date.now,
  });
}

/** What a server of these vaults remembers of its sessions when it is restarted. */
export function openServerSessions(choices: readonly VaultChoice[], env: Env): SessionBook {
  return openSessionBook({
    file: join(appFolders(env, process.platform).state, 'sessions.json'),
    served: JSON.stringify(choices.map(({ path }) => path)),
    alone: withBooksLock,
    nowMs: Date.now,
  });
}

/** When the tokens and grants of this machine were last used. */
export function openLastCalls(env: Env): LastCalls {
  const { state } = appFolders(env, process.platform);
  const file = join(state, 'last-calls.json');
  return new LastCalls({ file, alone: withBooksLock, timers: nodeTimers });
}

/**
 * What signing in keeps: grants and clients, and the owner. Both are of the program, not of a vault:
 * the owner signs in once for all that a server serves.
 */
export function openSignInBooks(env: Env): {
  readonly oauth: OAuthBook;
  readonly owner: OwnerBook;
} {
  const { state } = appFolders(env, process.platform);
  return {
    oauth: openOAuthBook({ file: join(state, 'oauth.json'), alone: withBooksLock }),
    owner: openOwnerBook({ file: join(state, 'owner.json'), alone: withBooksLock }),
  };
}

/**
 * Listens at the socket of a vault, where `vaultdoor stdio --attach` looks for a server to share.
 * Fails as `listenLocal` does, and as `checkVault` does when the vault cannot be opened.
 */
export async function listenForVault(
  choice: VaultChoice,
  env: Env,
  onConnection: (socket: Socket) => void,
): Promise<LocalListener> {
  const { root, folders } = vaultPlaces(choice, env);
  await makeStateFolder(root, folders);
  return listenLocal({
    path: localSocketPath(folders, process.platform),
    alone: (work) => withBooksLock(folders.state, work),
    onConnection,
    says: {
      taken: 'Another server of this vault listens already.',
      shorter: 'set XDG_STATE_HOME to a shorter one',
    },
  });
}

/** Listens at the socket of a daemon. Fails as `listenLocal` does. */
export function listenForRemote(
  path: string,
  env: Env,
  onConnection: (socket: Socket) => void,
): Promise<LocalListener> {
  const { state } = appFolders(env, process.platform);
  return listenLocal({
    path,
    alone: (work) => withLockFile(join(state, 'daemon-lock.db'), work),
    onConnection,
    says: {
      taken: `A daemon listens at "${path}" already; stop it first, or listen elsewhere (--socket).`,
      shorter: 'give a shorter one (--socket)',
    },
  });
}

/** Runs `work` while no other process uses the books (tokens, sessions, grants, the owner) of this folder. */
function withBooksLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  return withLockFile(join(folder, 'books-lock.db'), work);
}
