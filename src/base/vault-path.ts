import { pageLimits } from './engine-limits.ts';
import { VaultError } from './vault-error.ts';

/**
 * A path inside a vault: relative, `/` between names, spelled as on disk. Only `vaultPath` makes
 * one, so its spelling never leads out of the vault.
 */
export type VaultPath = string & { readonly VaultPath: unique symbol };

/** A folder inside a vault; the empty string is the vault itself. */
export type VaultFolder = VaultPath | '';

/** A path in the form that all its spellings share (see `foldName`). For comparing only. */
export type PathKey = string & { readonly PathKey: unique symbol };

/**
 * Checks a path; every path from outside passes through here. Fails with `outside_vault` or
 * `invalid_input`. Keeps Unicode form and case, which are needed to reach the file; drops a
 * trailing `/` and doubled slashes.
 */
export function vaultPath(input: string): VaultPath {
  const refusal = refusalOf(input);
  if (refusal !== undefined) {
    throw new VaultError(refusal.code, refusal.message, { details: { path: printable(input) } });
  }
  return tidy(input) as VaultPath;
}

/** Checks the path of a folder like `vaultPath`; `''`, `'.'` and `'/'` mean the vault itself. */
export function vaultFolder(input: string): VaultFolder {
  return input === '' || input === '.' || input === './' || input === '/' ? '' : vaultPath(input);
}

/** Whether `vaultPath` would accept a path. Files whose paths it refuses cannot be reached. */
export function isVaultPath(input: string): boolean {
  return refusalOf(input) === undefined;
}

/** The key of a path: two spellings have the same key if Obsidian takes them for one path. */
export function pathKey(path: string): PathKey {
  return foldName(path) as PathKey;
}

/** A name as Obsidian compares names: lower case, NFC, no-break space as space. */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toLowerCase();
  // "Σ" becomes "ς" at the end of a name but "σ" before ".md": both are written as "σ".
  return name.normalize('NFC').replaceAll('\u00a0', ' ').toLowerCase().replaceAll('ς', 'σ');
}

/** The folder that a path is in; `''` is the vault's root. */
export function folderOf(path: VaultPath): VaultFolder {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : (path.slice(0, slash) as VaultPath);
}

/** The last name of a path, with its extension. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The extension without its dot, lower-cased; `''` when there is none. */
export function extensionOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** A note's name: the last name of its path without the extension. */
export function stemOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/** A name inside a folder, which may be the vault itself. */
export function joinPath(folder: VaultFolder, name: string): VaultPath {
  return vaultPath(folder === '' ? name : `${folder}/${name}`);
}

/** Whether any name in the path begins with a dot: such files are invisible to Obsidian. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Whether `path` lies in `folder`, at any depth. Everything lies in `''`. */
export function isInside(path: string, folder: VaultFolder): boolean {
  return folder === '' || (path.startsWith(folder) && path[folder.length] === '/');
}

/**
 * Whether a path lies in one of these folders, at any depth. Costs one lookup for each folder above
 * the path, however many `folders` there are.
 */
export function isInsideAny(path: VaultFolder, folders: Pick<ReadonlySet<string>, 'has'>): boolean {
  for (let at = path; at !== ''; ) {
    at = folderOf(at);
    if (folders.has(at)) return true;
  }
  return false;
}

/** Why `vaultPath` refuses a path; undefined when it accepts it. */
function refusalOf(
  input: string,
): { code: 'outside_vault' | 'invalid_input'; message: string } | undefined {
  if (input === '') return invalid('A path cannot be empty; name a file inside the vault.');
  if (input.includes('\\')) {
    return outside('A path uses "/" between names, never a backslash.');
  }
  if (input.startsWith('/') || /^[A-Za-z]:\//.test(input)) {
    return outside('A path is relative to the vault; leave out the leading "/" or drive.');
  }
  if (hasControlCharacter(input)) {
    return invalid('A path cannot contain control characters.');
  }
  for (const segment of input.split('/')) {
    if (segment === '..' || segment === '.') {
      return outside('A path cannot contain "." or ".."; name the file from the vault\'s root.');
    }
    if (exceedsBytes(segment, pageLimits.segmentBytesMax)) {
      return invalid(`A name in a path has at most ${pageLimits.segmentBytesMax} bytes.`);
    }
  }
  if (exceedsBytes(input, pageLimits.pathBytesMax)) {
    return invalid(`A path has at most ${pageLimits.pathBytesMax} bytes.`);
  }
  return undefined;
}

function outside(message: string) {
  return { code: 'outside_vault', message } as const;
}

function invalid(message: string) {
  return { code: 'invalid_input', message } as const;
}

function tidy(input: string): string {
  if (!input.includes('//') && !input.endsWith('/')) return input;
  return input.replace(/\/+/g, '/').replace(/\/$/, '');
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** Whether the text takes more than `max` bytes in UTF-8. */
function exceedsBytes(text: string, max: number): boolean {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= max) return false;
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes > max;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** A refused path as an error shows it: escaped and cut, because it may be any text. */
function printable(input: string): string {
  const shown = input.length > 200 ? `${input.slice(0, 200)}…` : input;
  return JSON.stringify(shown).slice(1, -1);
}

/** Where deleted notes go: the only dot folder that notes may be moved to. */
export const trashFolder = '.trash' as VaultPath;
