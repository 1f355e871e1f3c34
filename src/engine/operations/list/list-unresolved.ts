import type { VaultPath } from '../../../base/vault-path.ts';
import type { Page, PageRequest, UnresolvedRow } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** Link targets that no file answers to, in the order of their names. */
export async function listUnresolved(
  vault: BoundVault,
  request: PageRequest,
): Promise<Page<UnresolvedRow>> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.unresolved(view, request));
}

/** Notes that no other file links to. */
export async function listOrphans(
  vault: BoundVault,
  request: PageRequest,
): Promise<Page<VaultPath>> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.orphans(view, request));
}
