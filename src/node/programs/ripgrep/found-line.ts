import { isVaultPath, type VaultPath } from '../../../base/vault-path.ts';
import type { FoundLine, LineSearchRequest } from '../../../engine/ports/line-search.ts';

const paths = new TextDecoder('utf-8', { fatal: true });

/**
 * A line that ripgrep has printed, `./path NUL line:column:text`. Undefined for any other, such as
 * the remark that a file is binary from here on, and for files that are not wanted or whose names no
 * vault path can spell.
 */
export function foundLine(
  printed: Buffer,
  { wants, lineCharsMax }: Pick<LineSearchRequest, 'wants' | 'lineCharsMax'>,
): FoundLine | undefined {
  const nul = printed.indexOf(0);
  const path = nul === -1 ? undefined : pathOf(printed.subarray(0, nul));
  if (path === undefined || !wants(path)) return undefined;
  const numbers = printed.toString('latin1', nul + 1, nul + 50);
  const [head, line, column] = /^(\d+):(\d+):/.exec(numbers) ?? [];
  if (head === undefined) return undefined;
  const bytes = printed.subarray(nul + 1 + head.length);
  const text = bytes.toString().replace(/\r$/, '');
  const at = bytes.toString('utf8', 0, Number(column) - 1).length;
  return { path, line: Number(line), text: cutLine(text, { at, charsMax: lineCharsMax }) };
}

function pathOf(bytes: Buffer): VaultPath | undefined {
  try {
    const path = paths.decode(bytes).replace(/^\.\//, '');
    return isVaultPath(path) ? (path as VaultPath) : undefined;
  } catch {
    return undefined; // Not UTF-8: nothing could reach it by that name.
  }
}

/** A line with the place where it matches, cut around that where it is too long. */
function cutLine(text: string, { at, charsMax }: { at: number; charsMax: number }): string {
  if (text.length <= charsMax) return text;
  // The beginning as long as it shows the match; else a little of what stands before it.
  const lead = Math.floor(charsMax / 4);
  const isFar = at < text.length && at > charsMax - lead;
  let start = isFar ? Math.min(at - lead, text.length - charsMax + 1) : 0;
  let end = start + charsMax - (isFar ? 1 : 0);
  if (end < text.length) end -= 1;
  if (isLowSurrogate(text, start)) start += 1;
  if (isLowSurrogate(text, end)) end -= 1;
  return `${isFar ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1));
}
