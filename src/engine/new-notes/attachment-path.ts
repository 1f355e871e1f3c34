import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, isHidden, isVaultPath, joinPath, vaultPath } from '../../base/vault-path.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/**
 * Returns the path for a new attachment: a bare name goes into the folder that the vault's settings
 * choose for attachments, which may be relative to the note that it is for; `/name` goes into the
 * root, and any other name with `/` is a path. A setting that cannot be a folder is ignored.
 */
export async function newAttachmentPath(
  vault: BoundVault,
  name: string,
  note: VaultPath | undefined,
): Promise<string> {
  if (/^\/[^/]+$/.test(name)) return name.slice(1);
  if (name.includes('/')) return name;
  const { attachmentFolderPath } = await vault.vault.settings();
  const folder = attachmentFolder(attachmentFolderPath, note);
  return folder === '' ? name : `${folder}/${name}`;
}

/** `/` is the root, `./` the folder of the note, `./name` a folder in that one. */
function attachmentFolder(setting: string, note: VaultPath | undefined): VaultFolder {
  const isRelative = setting === '.' || setting.startsWith('./');
  const from = isRelative && note !== undefined ? folderOf(note) : '';
  const inside = setting.replace(/^(?:\.(?=\/|$))?\/*/, '').replace(/\/+$/, '');
  if (inside === '') return from;
  if (!isVaultPath(inside) || isHidden(vaultPath(inside))) return '';
  return joinPath(from, inside);
}
