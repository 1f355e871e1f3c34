import type { VaultFolder } from '../../../base/vault-path.ts';
import { callNames } from '../../notes/call-names.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { listFiles } from './list-files.ts';

/**
 * The names of the notes in a folder, at any depth, without `.md`; a note whose name others have
 * comes as its path. In the order of the names, or the latest change first.
 */
export async function listNoteNames(
  vault: BoundVault,
  request: {
    readonly folder: VaultFolder;
    readonly sort: 'name' | 'modified';
    readonly limit: number;
    readonly offset: number;
  },
): Promise<{ total: number; names: readonly string[] }> {
  const { total, items } = await listFiles(vault, { ...request, kinds: ['note'] });
  const names = await callNames(
    vault,
    items.map(({ path }) => path),
  );
  return { total, names };
}
