import type { VaultPath } from '../../base/vault-path.ts';
import { checkAllowed } from '../decide/decide.ts';
import type { BoundVault } from './bound-vault.ts';

/** Fails with `forbidden` when a change would touch a path that its caller may not see. */
export function checkSeen(vault: BoundVault, path: VaultPath): void {
  checkAllowed(vault.caller, { unseen: vault.sees(path) ? undefined : 'files' });
}

/** The same for a folder. */
export function checkFolderSeen(vault: BoundVault, path: VaultPath): void {
  checkAllowed(vault.caller, { unseen: vault.seesFolder(path) ? undefined : 'files' });
}
