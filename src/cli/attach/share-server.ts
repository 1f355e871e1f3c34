import { toVaultError } from '../../base/vault-error.ts';
import { checkChosenVault } from '../../node/place/check-chosen-vault.ts';
import type { LocalListener } from '../../node/server/local-socket.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Server } from '../servers/run-server.ts';
import type { Shell } from '../shell/shell.ts';
import { listenForVault } from '../vaults/server-files.ts';
import { AttachAdmission } from './attach-admission.ts';
import { surroundingsOf } from './attach-protocol.ts';
import { AttachedClients } from './attached-clients.ts';

/** The part of a server that listens for `vaultdoor stdio --attach`. */
interface SharedServer {
  /** Admits nobody any more, and waits until those who were admitted have left. */
  close(): Promise<void>;
}

/**
 * Serves programs that want to share this server, at a socket in the state folder of each vault. For
 * a vault that does not exist yet (`--wait-for-vault`), it listens as soon as the vault exists. A
 * socket that cannot be opened is logged; programs then serve the vault themselves. `consoleLinks` makes
 * links to the console, for `vaultdoor console`; absent where there is none.
 */
export async function shareServer(
  shell: Shell,
  options: ServerOptions,
  server: Pick<
    Server,
    'choices' | 'vaults' | 'scopes' | 'logger' | 'readLarge' | 'views' | 'vaultOfFolder'
  >,
  consoleLinks?: () => Promise<readonly string[]>,
): Promise<SharedServer> {
  const { choices, vaults, scopes, logger, readLarge, views, vaultOfFolder } = server;
  const { env, version, currentFolder, signal } = shell;
  const timers = nodeTimers;
  const admission = new AttachAdmission({
    version,
    options,
    currentFolder,
    scopes,
    vaults,
    timers,
  });
  const clients = new AttachedClients({
    admission,
    logger,
    version,
    readLarge,
    views,
    signal,
    commands: {
      shell,
      vaults,
      surroundings: surroundingsOf(env),
      allowRoots: options.allowRoots,
      logger,
    },
    ...(consoleLinks === undefined ? {} : { consoleLinks }),
    ...(vaultOfFolder === undefined ? {} : { vaultOfFolder }),
  });
  const listeners: LocalListener[] = [];
  let isClosed = false;
  const listen = async (choice: VaultChoice): Promise<'away' | undefined> => {
    try {
      const listener = await listenForVault(choice, env, (socket) => clients.add(socket));
      if (isClosed) await listener.close();
      else listeners.push(listener);
    } catch (error) {
      const { code, message } = toVaultError(error);
      if (code === 'vault_not_found') return 'away';
      logger.log('warn', 'not shared', { vault: choice.name, message });
    }
    return undefined;
  };
  const listens = choices.map(async (choice, at) => {
    const isThere = !options.waitForVault || (await canBeOpened(choice));
    if (isThere && (await listen(choice)) === undefined) return;
    // The vault is away: listen when it has been found.
    const found = vaults[at]?.found(() => undefined);
    void found?.then(() => (isClosed ? undefined : listen(choice)));
  });
  // When it waits for vaults, a drive that hangs must not keep the server from starting.
  if (!options.waitForVault) await Promise.all(listens);
  return {
    async close() {
      isClosed = true;
      await Promise.all(listeners.map((listener) => listener.close()));
      await clients.close();
    },
  };
}

/** Whether a vault can be opened now. Unlike listening, it does not block on a drive that hangs. */
function canBeOpened(choice: VaultChoice): Promise<boolean> {
  return checkChosenVault({ ...choice, platform: process.platform }).then(
    () => true,
    () => false,
  );
}
