import { posix, win32 } from 'node:path';

/** How a client starts Vaultdoor for one vault. */
export interface ServerEntry {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly OBSIDIAN_VAULT_PATH: string };
}

/** A server that a configuration has. */
export interface Server {
  readonly name: string;
  /** It starts `vaultdoor stdio`. */
  readonly isOurs: boolean;
  /** The words after `stdio`, without the vault. */
  readonly flags: readonly string[];
  /** What its environment says, */
  readonly envVault?: string;
  /** and the vault that it serves, whoever names it. */
  readonly vault?: string;
}

const program = /(^|[\\/])vaultdoor(@[^\\/]*)?(\.[cm]?js|\.cmd|\.exe)?$/i;

/** What a value under a configuration's servers is to us; it may be anything. */
export function serverOf(name: string, value: unknown): Server {
  const { command, args, env } = record(value);
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  const at = words.findIndex((word, i) => program.test(word) && words[i + 1] === 'stdio');
  // Other words before it (a container, a shell) are somebody's own work, and may be secrets.
  const isPlain = at !== -1 && words.slice(1, at).every((word) => word.startsWith('-'));
  const given = words.slice(at + 2);
  // And so is an entry for several vaults, which words after "--" may be.
  const isOurs = isPlain && !given.includes('--') && given.filter(isVaultFlag).length < 2;
  const { flags, flagVault } = withoutVault(isOurs ? given : []);
  const { OBSIDIAN_VAULT_PATH: envVault, VAULT_PATH: otherVault } = record(env);
  const vault = [flagVault, envVault, otherVault].find((path) => typeof path === 'string');
  return {
    name,
    isOurs,
    flags,
    ...(typeof envVault === 'string' ? { envVault } : {}),
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

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** What clients accept as the name of a server. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const slugMax = 24;

/**
 * A name that no server has: `vaultdoor`, or with the vault's name behind it. Clients put the name
 * before that of each tool, and allow Latin letters and digits only.
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

/** Whether two paths are the same one, as far as their spelling tells. */
export function isSameSpelling(a: string, b: string, platform: NodeJS.Platform): boolean {
  return keyOf(a, platform) === keyOf(b, platform);
}

function keyOf(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return win32.normalize(`${path}\\`).toLowerCase();
  const key = posix.normalize(`${path}/`).normalize('NFC');
  return platform === 'darwin' ? key.toLowerCase() : key;
}
