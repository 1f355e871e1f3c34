import { createHash } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { abortReason } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { RawStat } from '../../engine/ports/raw-disk.ts';
import { isUnchanged } from '../disk/file-stat.ts';
import type { LoopTurns } from '../disk/loop-turns.ts';
import { type PathHandle, using } from '../disk/path-handle.ts';
import { keepsChanging, readsMax, refuseUnlessFile, tooLarge } from '../disk/regular-file.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawStat } from './raw-stat.ts';

/** How much of a file is hashed at a time. */
const pieceBytes = 1024 * 1024;

/** A file to read. */
interface RawFile {
  readonly path: VaultPath;
  /** Opens the file to look where it is. */
  readonly hold: () => Promise<PathHandle>;
  /** Reads of large files take turns. */
  readonly turns: LoopTurns;
}

interface HeldFile extends Omit<RawFile, 'hold'> {
  readonly held: PathHandle;
  /** How many bytes are read at most. */
  readonly length?: number;
}

/** An open file and its size. */
interface OpenFile {
  readonly file: number;
  readonly size: number;
}

/** Reads a whole file. Fails with `too_large` when it has more than `bytesMax` bytes. */
export function readRaw(
  calls: RawCalls,
  { bytesMax, ...from }: RawFile & { readonly bytesMax: number },
): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }> {
  return whileStill(calls, from, async ({ file, size }) => {
    if (size > bytesMax) throw tooLarge(from.path, { size, bytesMax });
    return { bytes: await bytesAt(calls, file, { offset: 0, length: size }) };
  });
}

/** Reads `length` bytes of a file from `offset` on; fewer where the file ends. */
export function readRawRange(
  calls: RawCalls,
  { offset, length, ...from }: RawFile & { readonly offset: number; readonly length: number },
): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }> {
  assert(offset >= 0 && length >= 0, 'a range is not negative');
  return whileStill(calls, { ...from, length }, async ({ file, size }) => {
    const left = Math.max(0, Math.min(length, size - offset));
    return { bytes: await bytesAt(calls, file, { offset, length: left }) };
  });
}

/** Hashes a file of any size, piece by piece, so that other work can run in between. */
export function hashRaw(
  calls: RawCalls,
  { signal, ...from }: RawFile & { readonly signal: AbortSignal },
): Promise<{ readonly version: Version; readonly stat: RawStat }> {
  return whileStill(calls, from, async ({ file, size }) => {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafeSlow(Math.min(size, pieceBytes));
    for (let at = 0; at < size; ) {
      if (signal.aborted) throw abortReason(signal);
      const count = await calls.read(file, piece, at);
      if (count === 0) break;
      hash.update(piece.subarray(0, count));
      at += count;
    }
    return { version: hash.digest('hex') as Version };
  });
}

/**
 * Opens a file and calls `read`, and calls it again if the file has changed in the meantime, so that
 * the answer is the file's content at one moment. Only regular files are opened. Of the file, at most
 * `length` bytes are read.
 */
async function whileStill<T>(
  calls: RawCalls,
  { hold, ...from }: RawFile & { readonly length?: number },
  read: (open: OpenFile) => Promise<T>,
): Promise<T & { readonly stat: RawStat }> {
  for (let opens = 0; opens < readsMax; opens++) {
    const found = await using(hold(), (held) => readHeld(calls, { ...from, held }, read));
    if (found !== undefined) return found;
  }
  throw keepsChanging(from.path);
}

/** The same for a file that is held; undefined when another file was opened in its place. */
async function readHeld<T>(
  calls: RawCalls,
  { path, held, turns, length = Number.POSITIVE_INFINITY }: HeldFile,
  read: (open: OpenFile) => Promise<T>,
): Promise<(T & { readonly stat: RawStat }) | undefined> {
  let before = await held.stat(calls);
  refuseUnlessFile(path, before);
  if (Math.min(Number(before.size), length) > limits.largeReadBytes) await turns.next();
  const file = await calls.open(held.path, held.readFlags);
  try {
    if (!(await held.isStill(calls, before, () => calls.fstat(file)))) return undefined;
    for (let reads = 0; reads < readsMax; reads++) {
      const content = await read({ file, size: Number(before.size) });
      const after = await calls.fstat(file);
      if (isUnchanged(before, after)) return { ...content, stat: rawStat(before) };
      before = after; // On a FUSE drive, opening a file may already change its time.
    }
  } finally {
    await calls.close(file);
  }
  throw keepsChanging(path);
}

/** The bytes from a position on; fewer where the file ends. */
async function bytesAt(
  calls: RawCalls,
  file: number,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Uint8Array> {
  // Unsafe: it is filled anyway. Slow: not from Node's pool, since the buffer may be transferred.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  while (at < length) {
    const count = await calls.read(file, bytes.subarray(at), offset + at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}
