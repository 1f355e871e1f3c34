import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { assert } from '../../base/assert.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { RawStat } from '../../engine/ports/raw-disk.ts';
import { isUnchanged } from '../disk/file-stat.ts';
import { keepsChanging, readsMax, refuseUnlessFile } from '../disk/regular-file.ts';
import { systemError } from '../system/disk-error.ts';
import type { RawCalls } from './raw-calls.ts';
import { rawStat } from './raw-stat.ts';

/** How much of a file is hashed at a time. */
const pieceBytes = 1024 * 1024;

/** A file to read: its name in the vault, and where it really is. */
export interface RawFile {
  readonly path: VaultPath;
  readonly real: string;
}

/** A file that is open, and how large it was found. */
interface OpenFile {
  readonly file: number;
  readonly size: number;
}

/** Reads a whole file; `too_large` when it has more than `bytesMax` bytes. */
export function readRaw(
  calls: RawCalls,
  { path, real, bytesMax }: RawFile & { readonly bytesMax: number },
): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }> {
  return whileStill(calls, { path, real }, async ({ file, size }) => {
    if (size > bytesMax) throw tooLarge(path, { size, bytesMax });
    return { bytes: await bytesAt(calls, file, { offset: 0, length: size }) };
  });
}

/** Reads some bytes of a file, fewer where it ends. */
export function readRawRange(
  calls: RawCalls,
  { path, real, offset, length }: RawFile & { readonly offset: number; readonly length: number },
): Promise<{ readonly bytes: Uint8Array; readonly stat: RawStat }> {
  assert(offset >= 0 && length >= 0, 'a range is not negative');
  return whileStill(calls, { path, real }, async ({ file, size }) => {
    const left = Math.max(0, Math.min(length, size - offset));
    return { bytes: await bytesAt(calls, file, { offset, length: left }) };
  });
}

/** Hashes a file of any size in pieces, between which others have their turn. */
export function hashRaw(
  calls: RawCalls,
  { path, real, signal }: RawFile & { readonly signal: AbortSignal },
): Promise<{ readonly version: Version; readonly stat: RawStat }> {
  return whileStill(calls, { path, real }, async ({ file, size }) => {
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
 * Opens a file and does something with its content, again if it changed meanwhile: what comes out is
 * of one moment, with the stat of before. Whatever is no regular file is not opened.
 */
async function whileStill<T>(
  calls: RawCalls,
  { path, real }: RawFile,
  read: (open: OpenFile) => Promise<T>,
): Promise<T & { readonly stat: RawStat }> {
  refuseUnlessFile(path, (await calls.lstat(real)) ?? missing());
  const file = await calls.open(real);
  try {
    let before = await calls.fstat(file);
    // It may have become something else between the look and the opening.
    refuseUnlessFile(path, before);
    for (let reads = 0; reads < readsMax; reads++) {
      const content = await read({ file, size: Number(before.size) });
      const after = await calls.fstat(file);
      if (isUnchanged(before, after)) return { ...content, stat: rawStat(before) };
      before = after;
    }
  } finally {
    await calls.close(file);
  }
  throw keepsChanging(path);
}

function missing(): BigIntStats {
  throw systemError('ENOENT');
}

async function bytesAt(
  calls: RawCalls,
  file: number,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Uint8Array> {
  // Not cleared, since it is filled; not from Node's pool, since the bytes may be sent away.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  while (at < length) {
    const count = await calls.read(file, bytes.subarray(at), offset + at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}

function tooLarge(
  path: string,
  { size, bytesMax }: { readonly size: number; readonly bytesMax: number },
): VaultError {
  return new VaultError('too_large', `"${path}" has ${size} bytes; at most ${bytesMax} are read.`, {
    details: { path, size, bytesMax },
  });
}
