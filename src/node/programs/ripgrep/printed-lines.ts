import { pathOrderKey } from './path-order.ts';

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
