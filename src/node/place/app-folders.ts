import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The folders in which Vaultdoor keeps the state and the cache of all vaults. Creates nothing. */
export function appFolders(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): { state: string; cache: string } {
  if (platform === 'win32') {
    // Not AppData: packaged apps see their own copy of it, and could not share a vault's state.
    const own = win32.join(env['USERPROFILE'] || homedir(), '.vaultdoor');
    return { state: win32.join(own, 'state'), cache: win32.join(own, 'cache') };
  }
  const home = env['HOME'] || homedir();
  if (platform === 'darwin') {
    return {
      state: posix.join(home, 'Library/Application Support/vaultdoor'),
      cache: posix.join(home, 'Library/Caches/vaultdoor'),
    };
  }
  return {
    state: posix.join(xdg(env['XDG_STATE_HOME']) ?? `${home}/.local/state`, 'vaultdoor'),
    cache: posix.join(xdg(env['XDG_CACHE_HOME']) ?? `${home}/.cache`, 'vaultdoor'),
  };
}

/** The value of an XDG variable. The standard says to ignore a path that is not absolute. */
function xdg(value: string | undefined): string | undefined {
  return value?.startsWith('/') ? value : undefined;
}

/** What decides where programs keep a user's files. Plain data, so that tests can try any platform. */
export interface UserPlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The folder in which desktop programs keep their settings. */
export function appDataFolder({ platform, env, home }: UserPlace): string {
  if (platform === 'win32') return env['APPDATA'] || win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  const given = env['XDG_CONFIG_HOME'];
  return given?.startsWith('/') ? given : posix.join(home, '.config');
}
