import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { isInside, vaultPath } from '../../base/vault-path.ts';

/**
 * Fails with `invalid_input` when a name in the path of a new file or folder does not work in
 * Obsidian or on some system, and suggests a path in `details.replacement`. Names in `existing`, a
 * folder that is already there, are not checked. Takes the path as the caller wrote it, so that a
 * text that cannot be a vault path gets a suggestion too.
 */
export function checkNewPath(
  path: string,
  options: { readonly existing?: VaultFolder } = {},
): void {
  // A path that leaves the vault or is far too long gets no suggestion: `vaultPath` refuses it.
  if (path.length > limits.pathBytesMax || leaves(path)) vaultPath(path);
  const existing = options.existing ?? '';
  const start = existing !== '' && isInside(path, existing) ? existing.length + 1 : 0;
  const names = path.slice(start).split('/');
  const problem = names.map(problemOf).find((found) => found !== undefined);
  if (problem === undefined) return;
  const mended = names.map((name) => (problemOf(name) === undefined ? name : mend(name)));
  const replacement = path.slice(0, start) + mended.join('/').normalize('NFC');
  throw new VaultError('invalid_input', `A new name ${problem}. Use "${replacement}" instead.`, {
    details: { replacement },
  });
}

/** Characters that names on Windows cannot have, or that end a link in Obsidian. */
const forbidden = /[*"\\<>:|?#^[\]]/;
const unprintable = /[\p{Cc}\p{Cs}]/u;
const device = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$)(?=\s*(?:\.|$))/i;

/** Says what is wrong with a name, to follow "A new name"; undefined when nothing is. */
function problemOf(name: string): string | undefined {
  // Double slashes and a slash at the end are dropped from every path.
  if (name === '') return undefined;
  const character = forbidden.exec(name)?.[0];
  if (character !== undefined) {
    return `cannot contain ${character === '"' ? 'a quotation mark' : `"${character}"`}: some systems or links do not allow it`;
  }
  if (unprintable.test(name)) return 'cannot contain control characters';
  if (name.startsWith('.')) return 'cannot begin with a dot: Obsidian would not show it';
  // Obsidian trims the text of a link, so the link would not find the note.
  if (/^\s|\s\.md$/i.test(name)) return 'cannot begin or end with a space: links would miss it';
  if (/[\s.]$/.test(name)) return 'cannot end with a dot or a space: Windows drops them';
  if (device.test(name)) return 'cannot be the name of a Windows device';
  if (bytesOf(name) > limits.newNameBytesMax) {
    return `has at most ${limits.newNameBytesMax} bytes`;
  }
  return undefined;
}

/** Returns the most similar name that is allowed. */
function mend(name: string): string {
  const clean = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}*<>?#^[\]]/gu, '')
    .replaceAll('"', "'")
    .replace(/(\s*)[:|\\]+(\s*)/g, (_, before, after) => (before + after === '' ? '-' : ' - '))
    .replace(/\s+/g, ' ')
    .replace(/[ .]+$/, '')
    .normalize('NFC');
  const extension = /(?<!^)\.[a-z0-9]{1,16}$|^\.(?:md|canvas|base)$/i.exec(clean)?.[0] ?? '';
  const stem = clean
    .slice(0, clean.length - extension.length)
    .replace(/^[ .]+/, '')
    .replace(device, '$&_');
  const short = cutBytes(stem, limits.newNameBytesMax - extension.length);
  return (short.replace(/(?: \.md|[ .])+$/i, '') || 'Untitled') + extension;
}

/** Whether a path begins outside the vault or steps out of it, with either kind of slash. */
function leaves(path: string): boolean {
  return /^\/|^[A-Za-z]:[/\\]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(path);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns as many whole characters from the start as fit into `bytesMax` bytes. */
function cutBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}
