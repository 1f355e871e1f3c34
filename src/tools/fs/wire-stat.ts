import type { z } from 'zod';
import type { RawStat } from '../../engine/ports/raw-disk.ts';
import type { Stat } from './schemas.ts';

/** A stat in the protocol's words. */
export function wireStat({ kind, mtimeMs, size, mode }: RawStat): z.output<typeof Stat> {
  return { type: kind, mtime: mtimeMs, size, mode };
}
