import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, joinPath, vaultFolder } from '../../base/vault-path.ts';
import type { VaultSettings } from './settings.ts';

/** Where a note's new attachments go, as the vault's settings say: `''` is the vault's root. */
export function attachmentFolder(
  { attachmentFolderPath }: Pick<VaultSettings, 'attachmentFolderPath'>,
  note: VaultPath,
): VaultFolder {
  const folder = attachmentFolderPath.trim();
  if (folder !== '.' && !folder.startsWith('./')) return vaultFolder(folder.replace(/^\/+/, ''));
  const below = folder.replace(/^\.\/*/, '');
  return below === '' ? folderOf(note) : joinPath(folderOf(note), below);
}
