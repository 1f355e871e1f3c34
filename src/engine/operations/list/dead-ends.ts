import type { VaultPath } from '../../../base/vault-path.ts';
import type { Page, PageRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** Notes that link to nothing else: no link at all, or only to places in themselves. */
export async function listDeadEnds(
  vault: BoundVault,
  request: PageRequest,
): Promise<Page<VaultPath>> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.deadEnds(view, request));
}
