import { isVaultPath, type VaultPath } from '../../../base/vault-path.ts';
import type { FoundLine, LineSearchRequest } from '../../../engine/ports/line-search.ts';

/**
 * Sorts the lines that ripgrep has printed without `--sort` into the order of `--sort=path`. ripgrep
 * prints the lines of one file together and in order, so only the files are sorted. Lines that name
 * no file, such as the remark that a file is binary, are left out.
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

/** Splits what a program prints into lines, and cuts each off after `bytesMax` bytes. */
export class CutLines {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that end in these bytes, without line ends. The rest is kept for the next call. */
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

/** Fails for names that are not UTF-8. */
const pathDecoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a line that ripgrep has printed: `./path NUL line:column:text`. Undefined for other lines,
 * such as the remark that a file is binary, for files that are not wanted, and for names that no
 * vault path can express.
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

/** The paths that ripgrep has printed with `--null`, but for names that no vault path can express. */
export function printedPaths(printed: Buffer): VaultPath[] {
  const paths: VaultPath[] = [];
  for (let start = 0, end = printed.indexOf(0); end !== -1; end = printed.indexOf(0, start)) {
    const path = pathOf(printed.subarray(start, end));
    if (path !== undefined) paths.push(path);
    start = end + 1;
  }
  return paths;
}

function pathOf(bytes: Buffer): VaultPath | undefined {
  try {
    const path = pathDecoder.decode(bytes).replace(/^\.\//, '');
    return isVaultPath(path) ? (path as VaultPath) : undefined;
  } catch {
    return undefined; // Not UTF-8: no call could name this file.
  }
}

/** The line, shortened around the place of the match when it is too long. */
function cutLine(text: string, { at, charsMax }: { at: number; charsMax: number }): string {
  if (text.length <= charsMax) return text;
  // Show the beginning if the match is in it; otherwise start a little before the match.
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
 * The key by which paths are sorted as ripgrep's `--sort=path` does: name by name and by bytes, so
 * that files in `a` come before `a.md`. The path must be given as one character for each byte
 * (`latin1`), since JavaScript compares UTF-16 units, by which `😀` would come before `ｆ`.
 */
export function pathOrderKey(latin1: string): string {
  return latin1.replaceAll('/', '\0');
}
