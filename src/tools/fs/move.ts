import { z } from 'zod';
import type { VaultFolder } from '../../base/vault-path.ts';
import { rawMove, rawTrash } from '../../engine/operations/raw/raw-move.ts';
import { rawRemove, rawRemoveFolder } from '../../engine/operations/raw/raw-remove.ts';
import type { Operation } from '../../engine/vault/draft.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Changed, changeFile, changeFiles, Nothing } from './change-files.ts';
import { Path, Recursive } from './schemas.ts';

export const renameTool = defineTool({
  name: 'fs.rename',
  title: 'Rename',
  description:
    'Gives a file, a symlink or a folder another path, and makes the folders it needs. A file takes the place of another; links in notes are not rewritten.',
  effect: 'write',
  raw: true,
  input: z.object({ oldPath: Path, newPath: Path }),
  output: Changed,
  record: ['oldPath', 'newPath'],
  run: (vault, { oldPath, newPath }) =>
    changeFile(vault, rawMove, { from: fsPath(oldPath), to: fsPath(newPath) }),
});

export const removeTool = removingTool(rawRemove, {
  name: 'fs.remove',
  title: 'Remove a file',
  description: 'Removes a file, or a symlink itself; not to the trash.',
});

export const trashLocalTool = removingTool(rawTrash, {
  name: 'fs.trashLocal',
  title: 'Move to the trash',
  description:
    'Moves a file or a folder to its path in ".trash", or to a free name beside it if that is taken.',
});

export const rmdirTool = defineTool({
  name: 'fs.rmdir',
  title: 'Remove a folder',
  description: 'Removes a folder, or a symlink to one itself. The vault itself stays.',
  effect: 'destroy',
  raw: true,
  input: z.object({
    path: Path,
    recursive: Recursive.describe('Whether all that is in it goes too.'),
  }),
  output: Nothing,
  record: ['path', 'recursive'],
  run: (vault, { path, recursive }) =>
    changeFiles(vault, rawRemoveFolder, { path: fsPath(path), recursive }),
});

/** A method that takes away what is at one path. */
function removingTool(
  operation: Operation<{ readonly path: VaultFolder }, object>,
  about: { readonly name: string; readonly title: string; readonly description: string },
): AnyTool {
  return defineTool({
    ...about,
    effect: 'destroy',
    raw: true,
    input: z.object({ path: Path }),
    output: Nothing,
    record: ['path'],
    run: (vault, { path }) => changeFiles(vault, operation, { path: fsPath(path) }),
  });
}
