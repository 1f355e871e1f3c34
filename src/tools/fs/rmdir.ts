import { z } from 'zod';
import { rawRemoveFolder } from '../../engine/operations/raw/raw-remove.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFiles } from './change-files.ts';
import { Nothing, Path, Recursive } from './schemas.ts';

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
  run: async (vault, { path, recursive }) => {
    await changeFiles(vault, rawRemoveFolder, { path: fsPath(path), recursive });
    return {};
  },
});
