import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { isInside, vaultPath } from '../../base/vault-path.ts';

/**
 * Refuses a path for something new when Obsidian or another platform could not hold one of its
 * names, with `invalid_input` and a path that would do instead in `details.replacement`. Names in
 * `existing`, the folder that is already there, are not looked at: what exists may stay. Takes a
 * path as the caller wrote it, so that what no vault path can spell gets a replacement too.
 */
export function checkNewPath(
  path: string,
  options: { readonly existing?: VaultFolder } = {},
): void {
  // What would leave the vault is not a name to be mended; nor is a path of endless length.
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

/** Characters that no name on Windows holds, or that end a link in Obsidian. */
const forbidden = /[*"\\<>:|?#^[\]]/;
const unprintable = /[\p{Cc}\p{Cs}]/u;
const device = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$)(?=\s*(?:\.|$))/i;

/** What is wrong with a name, to follow "A new name"; undefined when it is fine. */
function problemOf(name: string): string | undefined {
  // Doubled slashes, and one at the end, are dropped from every path.
  if (name === '') return undefined;
  const character = forbidden.exec(name)?.[0];
  if (character !== undefined) {
    return `cannot contain ${character === '"' ? 'a quotation mark' : `"${character}"`}: a platform or a link could not hold it`;
  }
  if (unprintable.test(name)) return 'cannot contain control characters';
  if (name.startsWith('.')) return 'cannot begin with a dot: Obsidian would not show it';
  // Obsidian trims what stands in a link, so the link would not find the note.
  if (/^\s|\s\.md$/i.test(name)) return 'cannot begin or end with a space: links would miss it';
  if (/[\s.]$/.test(name)) return 'cannot end with a dot or a space: Windows drops them';
  if (device.test(name)) return 'cannot be the name of a device of Windows';
  if (bytesOf(name) > limits.newNameBytesMax) {
    return `has at most ${limits.newNameBytesMax} bytes`;
  }
  return undefined;
}

/** The nearest name that is fine. */
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

/** Whether a path begins outside the vault, or steps out of it, however its names are divided. */
function leaves(path: string): boolean {
  return /^\/|^[A-Za-z]:[/\\]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(path);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** As many whole characters from the start as fit. */
function cutBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}
