import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { areNested, type RegisteredVault } from '../../postgres/nodes/vault-registry.ts';

/**
 * Fails with `unavailable` unless the folder of a vault is really below the folder of the vaults, where
 * programs without the cluster find its gates, and apart from all other vaults: two nodes would write to
 * the same notes otherwise.
 */
export async function checkVaultPlace(
  vault: RegisteredVault,
  { root, others }: { readonly root: string; readonly others: readonly RegisteredVault[] },
): Promise<void> {
  const realRoot = await realpath(root);
  const found = await realpath(isAbsolute(vault.path) ? vault.path : join(root, vault.path)).catch(
    () => undefined,
  );
  if (found === undefined) throw refused(vault, 'is not there');
  const place = belowRoot(realRoot, found);
  if (place === undefined) throw refused(vault, 'is not below the folder of the vaults');
  if (!isAbsolute(vault.path) && place !== vault.path) {
    throw refused(vault, 'is reached through a symlink');
  }
  const placeOf = ({ path }: RegisteredVault): string | undefined =>
    isAbsolute(path) ? (belowRoot(realRoot, path) ?? belowRoot(root, path)) : path;
  const taken = others.find((other) => {
    const there = other.id === vault.id ? undefined : placeOf(other);
    return there !== undefined && areNested(there, place);
  });
  if (taken !== undefined)
    throw refused(vault, `is that of "${taken.name}", or one lies in the other`);
}

/** A path from the root on, with slashes; undefined for the root itself and what is not in it. */
function belowRoot(root: string, path: string): string | undefined {
  const place = relative(root, path);
  const isIn =
    place !== '' && place !== '..' && !place.startsWith(`..${sep}`) && !isAbsolute(place);
  return isIn ? place.split(sep).join('/') : undefined;
}

function refused({ name }: RegisteredVault, reason: string): VaultError {
  return new VaultError('unavailable', `The vault "${name}" is not served: its folder ${reason}.`);
}
