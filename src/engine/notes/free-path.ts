import type { VaultPath } from '../../base/vault-path.ts';
import { extensionOf, vaultPath } from '../../base/vault-path.ts';
import type { Draft } from '../vault/draft.ts';

/**
 * Returns a path as it is, or with the first free number from 2 on when that name is taken, as the
 * app names files in its trash.
 */
export async function freePath(draft: Draft, path: VaultPath): Promise<VaultPath> {
  const extension = extensionOf(path);
  const stem = extension === '' ? path : path.slice(0, -extension.length - 1);
  let free = path;
  for (let count = 2; (await draft.kind(free)) !== undefined; count++) {
    free = vaultPath(`${stem} ${count}${path.slice(stem.length)}`);
  }
  return free;
}
