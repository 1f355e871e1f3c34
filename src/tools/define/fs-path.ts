import { VaultError } from '../../base/vault-error.ts';
import { type VaultFolder, vaultPath } from '../../base/vault-path.ts';

/**
 * Reads a path of the remote protocol. `""`, `"/"`, `"."` and `"./"` are the vault's root; names
 * that are `"."` and double slashes are removed. Fails with `outside_vault` for any other path that
 * begins with a slash, has a name `".."` or contains a backslash, and with `invalid_input` for
 * characters that no name can have and for names that are too long.
 */
export function fsPath(input: string): VaultFolder {
  if (input === '/') return '';
  if (input.startsWith('/')) {
    throw new VaultError(
      'outside_vault',
      'A path is relative to the vault; leave out the leading "/".',
    );
  }
  const names = input.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0) return '';
  // Half a surrogate pair would become another name on the disk.
  if (/\p{Surrogate}/u.test(input)) {
    throw new VaultError('invalid_input', 'A path has half a surrogate pair: no name can have it.');
  }
  return vaultPath(names.join('/'));
}
