import { posix, win32 } from 'node:path';
import { record } from '../../base/json.ts';

/** The entry in a client's configuration that starts Vaultdoor for one vault. */
export interface ServerEntry {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly OBSIDIAN_VAULT_PATH: string };
}

/** A server in a client's configuration, ours or another. */
export interface Server {
  readonly name: string;
  /** Whether it starts `vaultdoor stdio` for one vault, and nothing else. */
  readonly isOurs: boolean;
  /** The words up to our program, such as the path of Node and that of our script. Only if it is ours. */
  readonly starts: readonly string[];
  /** The arguments after `stdio`, without the vault. */
  readonly flags: readonly string[];
  /** The vault in its `OBSIDIAN_VAULT_PATH`. */
  readonly envVault?: string;
  /** The vault in its `VAULT_PATH`. */
  readonly otherVault?: string;
  /** Its arguments, and the values of its environment. */
  readonly words: readonly string[];
  /** The vault that it serves, from its arguments or its environment. */
  readonly vault?: string;
}

/** The last word of a path that starts our program. */
const program = /(^|[\\/])vaultdoor(@[^\\/]*)?(\.[cm]?js|\.cmd|\.exe)?$/i;

/** Reads one server of a configuration; its value may be any JSON. */
export function serverOf(name: string, value: unknown): Server {
  const { command, args, env } = record(value);
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  // Where our program is in the command line of the entry.
  const at = words.findIndex((word, i) => program.test(word) && words[i + 1] === 'stdio');
  // An entry with other arguments in front (a container, a shell) was written by hand: not ours.
  const isPlain = at !== -1 && words.slice(1, at).every((word) => word.startsWith('-'));
  const given = words.slice(at + 2);
  // Nor is an entry for several vaults; arguments after "--" are vaults too.
  const isOurs = isPlain && !given.includes('--') && given.filter(isVaultFlag).length < 2;
  const { flags, flagVault } = withoutVault(isOurs ? given : []);
  const { OBSIDIAN_VAULT_PATH: envVault, VAULT_PATH: otherVault } = record(env);
  const vault = [flagVault, envVault, otherVault].find((path) => typeof path === 'string');
  return {
    name,
    isOurs,
    starts: isOurs ? words.slice(0, at + 1) : [],
    flags,
    words: [...words.slice(1), ...Object.values(record(env)).map(String)],
    ...(typeof envVault === 'string' ? { envVault } : {}),
    ...(typeof otherVault === 'string' ? { otherVault } : {}),
    ...(typeof vault === 'string' ? { vault } : {}),
  };
}

function withoutVault(words: readonly string[]): { flags: readonly string[]; flagVault?: string } {
  const at = words.findIndex(isVaultFlag);
  if (at === -1) return { flags: words };
  const [name = '', next = ''] = words.slice(at);
  return name === '--vault'
    ? { flags: words.toSpliced(at, 2), flagVault: next }
    : { flags: words.toSpliced(at, 1), flagVault: name.slice('--vault='.length) };
}

function isVaultFlag(word: string): boolean {
  return /^--vault(=|$)/.test(word);
}

/** The names that clients accept for a server. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** How many characters of a vault's name go into the name of its entry. */
const slugMax = 24;

/**
 * A name that no other server has: `vaultdoor`, `vaultdoor-<vault>`, or that with a number. Only
 * Latin letters and digits, because clients put it before the name of each tool and allow no others.
 */
export function freeName(vaultName: string, taken: readonly string[]): string {
  const slug = vaultName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugMax)
    .replace(/^-|-$/g, '');
  const own = slug === '' ? 'vaultdoor' : `vaultdoor-${slug}`;
  const isFree = (name: string): boolean => !taken.includes(name);
  if (isFree('vaultdoor')) return 'vaultdoor';
  if (isFree(own)) return own;
  let number = 2;
  while (!isFree(`${own}-${number}`)) number++;
  return `${own}-${number}`;
}

/** Whether two paths are equal on this platform, judged by their spelling alone. */
export function isSameSpelling(a: string, b: string, platform: NodeJS.Platform): boolean {
  return keyOf(a, platform) === keyOf(b, platform);
}

/** The folders in which drives appear, with the folder of a user in them on Linux. */
const driveFolders = /^\/(Volumes|mnt|media(\/[^/]+)?|run\/media(\/[^/]+)?)$/i;

/**
 * Whether a path may be that of a drive, or on Windows that of a folder directly on one, judged by its
 * spelling alone. If it does not exist, the drive may only be away.
 */
export function isDrive(path: string, platform: NodeJS.Platform): boolean {
  if (platform !== 'win32') return driveFolders.test(posix.dirname(path));
  const folder = win32.dirname(path);
  return win32.parse(folder).root === folder;
}

function keyOf(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return win32.normalize(`${path}\\`).toLowerCase();
  const key = posix.normalize(`${path}/`).normalize('NFC');
  return platform === 'darwin' ? key.toLowerCase() : key;
}
