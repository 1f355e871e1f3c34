import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { folderView } from '../../notes/check-folder.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** A note of a folder, at any depth, each as likely as any other, as it is on disk. */
export async function randomNote(
  vault: BoundVault,
  { folder }: { readonly folder: VaultFolder },
): Promise<{ readonly path: VaultPath; readonly text: string; readonly version: Version }> {
  const view = await folderView(vault, folder);
  const { random } = vault.vault.parts;
  const path = await vault.ask('facts', async (store) => {
    const notes = { folder, kinds: ['note'], sort: 'path' } as const;
    const { total } = await store.files(view, { ...notes, limit: 0, offset: 0 });
    if (total === 0) return undefined;
    const page = await store.files(view, { ...notes, limit: 1, offset: random.below(total) });
    return page.items[0]?.path;
  });
  if (path === undefined) {
    const where = folder === '' ? 'the vault' : `"${folder}"`;
    throw new VaultError('not_found', `There is no note in ${where} to choose from.`);
  }
  const { text, version } = await vault.readText(path);
  return { path, text, version };
}
