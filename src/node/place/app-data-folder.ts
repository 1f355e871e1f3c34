import { posix, win32 } from 'node:path';

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
