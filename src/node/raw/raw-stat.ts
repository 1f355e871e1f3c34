import type { BigIntStats } from 'node:fs';
import type { VaultPath } from '../../base/vault-path.ts';
import type { RawEntry, RawKind, RawStat } from '../../engine/ports/raw-disk.ts';

const nsPerMs = 1_000_000n;

/**
 * A time in whole milliseconds, always rounded down, also before 1970. Node's own `mtimeMs` is
 * rounded to the nearest millisecond and may be one too high.
 */
function wholeMs(timeNs: bigint): number {
  const ms = timeNs / nsPerMs;
  return Number(timeNs < 0n && ms * nsPerMs !== timeNs ? ms - 1n : ms);
}

/** Turns Node's stat into a `RawStat`. */
export function rawStat(found: BigIntStats): RawStat {
  const kind = kindOf(found);
  return {
    kind,
    mtimeMs: wholeMs(found.mtimeNs),
    size: kind === 'folder' ? 0 : Number(found.size),
    mode: Number(found.mode) & 0o7777,
  };
}

/** Turns Node's `lstat` of a path into a `RawEntry`. */
export function rawEntry(path: VaultPath, found: BigIntStats): RawEntry {
  const kind = kindOf(found);
  return {
    path,
    kind,
    mtimeMs: wholeMs(found.mtimeNs),
    size: kind === 'folder' ? 0 : Number(found.size),
    stamp: `${found.ino}:${found.size}:${found.mtimeNs}`,
  };
}

function kindOf(found: BigIntStats): RawKind {
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? 'symlink' : 'file';
}
