import type { VaultPath } from '../../base/vault-path.ts';
import type { RawStat } from '../ports/raw-disk.ts';
import { rawError } from '../ports/raw-disk.ts';

/** Fails with `conflict` when a file has another time than expected; 0 expects nothing. */
export function checkMtime(path: VaultPath, stat: RawStat, expectedMs: number): void {
  if (expectedMs === 0 || stat.mtimeMs === expectedMs) return;
  throw rawError('conflict', path, 'has changed since it was read; read it again');
}
