import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { folderOf, isVaultPath, vaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import type { LinkHandling } from '../../moves/move-files.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { MovedFile } from './move-file.ts';
import { keepExtension, linkChoices, moveFile, moveTo } from './move-file.ts';
import { moveFolder } from './move-folder.ts';

interface RenameFileRequest {
  /** A note, an attachment or a folder. */
  readonly name: NoteName;
  /**
   * A bare name stays in the folder; one with `/` is a path in the vault. The extension may be left
   * out.
   */
  readonly newName: string;
  readonly links?: LinkHandling;
  readonly force?: boolean;
  /** Set to rename a file even if a folder has the same name. */
  readonly only?: 'file';
}

/**
 * Renames a file or a folder, and rewrites every link to it. Fails as `moveFile` and `moveFolder`
 * do.
 */
export async function renameFile(draft: Draft, request: RenameFileRequest): Promise<MovedFile> {
  const { name, newName } = request;
  const folder = request.only === 'file' ? undefined : await folderNamed(draft, name);
  if (folder !== undefined) {
    return moveFolder(draft, { ...request, folder, to: inFolder(folderOf(folder), newName) });
  }
  const from = await draft.find(name);
  const to = inFolder(folderOf(from), keepExtension(from, newName));
  return moveTo(draft, { from, to, ...linkChoices(request) });
}

/** Puts a bare name into the folder of the old one. */
function inFolder(folder: VaultFolder, name: string): string {
  return folder === '' || name.includes('/') ? name : `${folder}/${name}`;
}

/**
 * Returns the folder at exactly this path; undefined when there is none, or when a file has this
 * path with `.md`.
 */
async function folderNamed(draft: Draft, name: NoteName): Promise<VaultPath | undefined> {
  const asked = typeof name === 'string' ? name : name.path;
  if (!isVaultPath(asked)) return undefined;
  const path = vaultPath(asked);
  if ((await draft.kind(path)) !== 'folder') return undefined;
  if (asked.endsWith('/') || !isVaultPath(`${path}.md`)) return path;
  return (await draft.kind(vaultPath(`${path}.md`))) === 'file' ? undefined : path;
}

/**
 * Renames or moves a note, and rewrites every link to it. The new name may be bare (the note stays
 * in its folder), a path, a folder (`Folder/`, the note keeps its name), or `/Name` for the root of
 * the vault. Fails with `conflict` when the note does not have the expected version, and as
 * `moveFile` does.
 */
export async function renameNote(
  draft: Draft,
  request: {
    readonly name: NoteName;
    readonly newName: string;
    readonly version?: VersionStart;
  },
): Promise<MovedFile> {
  const { name, newName, version } = request;
  if (version !== undefined) await draft.expect(await draft.find(name), version);
  if (newName.endsWith('/')) return moveFile(draft, { name, to: newName });
  const inRoot = /^\/([^/]+)$/.exec(newName)?.[1];
  if (inRoot === undefined) return renameFile(draft, { name, newName, only: 'file' });
  const from = await draft.find(name);
  return moveTo(draft, { from, to: keepExtension(from, inRoot), ...linkChoices({}) });
}
