import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { limits } from '../../base/limits.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { connectLocal, localSocketPath } from '../../node/server/local-socket.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The folder in which this program keeps its state, as a person writes it: `~` for the home. */
export function shownStateFolder(env: Env): string {
  const { state } = appFolders(env, process.platform);
  const home = env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homedir();
  return state.startsWith(home + sep) ? `~${state.slice(home.length)}` : state;
}

/**
 * Whether a server runs now that keeps its state there. Each listens at a socket in the state folder of
 * its vault. True also where that cannot be told: too many vaults, or a socket that is busy.
 */
export async function hasRunningServer(env: Env): Promise<boolean> {
  const { state } = appFolders(env, process.platform);
  const ids = (await readdir(state).catch(() => [])).filter((name) => /^[0-9a-f]{16}$/.test(name));
  if (ids.length > limits.serversLookedFor) return true;
  for (const id of ids) {
    const socket = await connectLocal(
      localSocketPath({ id, state: join(state, id) }, process.platform),
    );
    if (socket === undefined) continue;
    if (socket !== 'busy') socket.destroy();
    return true;
  }
  return false;
}
