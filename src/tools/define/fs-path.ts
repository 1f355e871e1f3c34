import { VaultError } from '../../base/vault-error.ts';
import { type VaultFolder, vaultPath } from '../../base/vault-path.ts';

/**
 * A path as the remote protocol spells it. `""` and `"/"` are the root, and so is what is left of
 * `"."` and `"./"`: names that are `"."` and needless slashes are cleaned away. What else begins
 * with a slash, has a name `".."` or a backslash is `outside_vault`; characters that no name can have
 * and names that are too long are `invalid_input`.
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
  // Half a surrogate pair would be another name on the disk.
  if (/\p{Surrogate}/u.test(input)) {
    throw new VaultError('invalid_input', 'A path has half a surrogate pair: no name can have it.');
  }
  return vaultPath(names.join('/'));
}
