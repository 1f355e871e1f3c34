import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The folders of all vaults together. Makes nothing. */
export function appFolders(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): { state: string; cache: string } {
  if (platform === 'win32') {
    // Not AppData: packaged apps see a private one, and would not share a vault's state.
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

/** A folder variable of the XDG standard, which says to ignore one that is not absolute. */
function xdg(value: string | undefined): string | undefined {
  return value?.startsWith('/') ? value : undefined;
}

/** Where programs look for a user's files; data, so that each platform can be tested on any. */
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
