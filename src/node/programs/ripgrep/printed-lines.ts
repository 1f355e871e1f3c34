import { isVaultPath, type VaultPath } from '../../../base/vault-path.ts';
import type { FoundLine, LineSearchRequest } from '../../../engine/ports/line-search.ts';

/**
 * The lines that ripgrep has printed in no order of the files, in the order of `--sort=path`. Those
 * of one file come together and in order, whichever thread has found them. Lines that name no file,
 * such as the remark that one is binary, are left out.
 */
export function* sortPrintedLines(printed: Buffer): Generator<Buffer> {
  const files = new Map<string, Buffer[]>();
  for (let start = 0, end = printed.indexOf(10); end !== -1; end = printed.indexOf(10, start)) {
    const line = printed.subarray(start, end);
    start = end + 1;
    const nul = line.indexOf(0);
    if (nul === -1) continue;
    const path = line.toString('latin1', 0, nul);
    const lines = files.get(path);
    if (lines === undefined) files.set(path, [line]);
    else lines.push(line);
  }
  const sorted = Array.from(files, ([path, lines]) => ({ key: pathOrderKey(path), lines }));
  for (const { lines } of sorted.sort((a, b) => (a.key < b.key ? -1 : 1))) yield* lines;
}

/** Splits what a program prints into lines, each cut to its first bytes. */
export class CutLines {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that these bytes complete, without their ends. What follows the last is kept. */
  *push(bytes: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      this.#keep(bytes.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    this.#keep(bytes.subarray(start));
  }

  #keep(bytes: Buffer): void {
    const part = bytes.subarray(0, this.#bytesMax - this.#bytes);
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  #take(): Buffer {
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}

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

/**
 * What paths are compared by to come in the order of ripgrep's `--sort=path`: name by name, each by
 * its bytes, so that what is in `a` comes before `a.md`. The path is given byte by byte (`latin1`):
 * as JavaScript compares strings, `😀` would come before `ｆ`.
 */
export function pathOrderKey(latin1: string): string {
  return latin1.replaceAll('/', '\0');
}
