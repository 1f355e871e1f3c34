import { createHash } from 'node:crypto';
import { VaultError } from '../../base/vault-error.ts';
import type { Version } from '../../base/version.ts';
import type { ContentPut } from '../../engine/ports/state-store.ts';
import { applyDelta, deltaFrom, pack, unpack } from './content-delta.ts';

/**
 * A content may be stored as a difference from another (its base), which may be stored as a difference
 * too. A chain of these is at most this long.
 */
export const depthMax = 16;

export interface ContentRow {
  readonly base: Version | null;
  readonly prefix: number;
  readonly suffix: number;
  readonly packed: number;
  readonly bytes: Uint8Array;
}

export type StoredContent = [
  base: string | null,
  depth: number,
  prefix: number,
  suffix: number,
  packed: number,
  bytes: Uint8Array,
  version: Version,
];

/** A content that another one may be stored on. */
interface ContentBase {
  readonly version: Version;
  readonly depth: number;
  readonly bytes: Uint8Array;
}

/** The columns for a content: as a difference if it has a base and that saves half, else whole. */
export function storedContent({ version, bytes }: ContentPut, base?: ContentBase): StoredContent {
  const delta = base === undefined ? undefined : deltaFrom(base.bytes, bytes);
  if (base !== undefined && delta !== undefined) {
    const { prefix, suffix } = delta;
    const middle = pack(delta.middle);
    const isPacked = middle.packed ? 1 : 0;
    return [base.version, base.depth + 1, prefix, suffix, isPacked, middle.bytes, version];
  }
  const whole = pack(bytes);
  return [null, 0, 0, 0, whole.packed ? 1 : 0, whole.bytes, version];
}

/**
 * The bytes of a version from its row, that of its base, and so on to the first whole one; undefined
 * without rows. Fails with `io_failed` when they are damaged.
 */
export function restoredContent(
  version: Version,
  rows: readonly ContentRow[],
): Uint8Array | undefined {
  const whole = rows.at(-1);
  if (whole === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    if (whole.base !== null) throw new Error('its base is missing');
    bytes = unpack({ packed: whole.packed === 1, bytes: whole.bytes });
    for (const { prefix, suffix, packed, bytes: middle } of rows.slice(0, -1).reverse()) {
      bytes = applyDelta(bytes, {
        prefix,
        suffix,
        middle: unpack({ packed: packed === 1, bytes: middle }),
      });
    }
  } catch (cause) {
    throw damaged(version, cause);
  }
  if (createHash('sha256').update(bytes).digest('hex') !== version) throw damaged(version);
  // Copied, because the libraries may return a view of a larger buffer.
  return Uint8Array.from(bytes);
}

function damaged(version: Version, cause?: unknown): VaultError {
  return new VaultError(
    'io_failed',
    'The history has this version of the file, but it is damaged and cannot be restored.',
    { cause, details: { version } },
  );
}
