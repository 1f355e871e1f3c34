import type { Version } from '../../../base/version.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { MovedFile } from './move-file.ts';
import { handling, keepExtension, moveFile, moveTo } from './move-file.ts';
import { renameFile } from './rename-file.ts';

/**
 * Renames or moves a note, with every link that leads to it. The new name may be bare (it stays in
 * its folder), a path, a folder (`Folder/`, it keeps its name), or `/Name` for the vault's root.
 * Fails with `conflict` when the note is no longer at the version that is asked for.
 */
export async function renameNote(
  draft: Draft,
  request: {
    readonly name: NoteName;
    readonly newName: string;
    readonly version?: Version;
  },
): Promise<MovedFile> {
  const { name, newName, version } = request;
  if (version !== undefined) await draft.expect(await draft.find(name), version);
  if (newName.endsWith('/')) return moveFile(draft, { name, to: newName });
  const inRoot = /^\/([^/]+)$/.exec(newName)?.[1];
  if (inRoot === undefined) return renameFile(draft, { name, newName, only: 'file' });
  const from = await draft.find(name);
  return moveTo(draft, { from, to: keepExtension(from, inRoot), ...handling({}) });
}
