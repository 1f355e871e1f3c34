import { z } from 'zod';
import { rawRemove } from '../../engine/operations/raw/raw-remove.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFiles } from './change-files.ts';
import { Nothing, Path } from './schemas.ts';

export const removeTool = defineTool({
  name: 'fs.remove',
  title: 'Remove a file',
  description: 'Removes a file, or a symlink itself; not to the trash.',
  effect: 'destroy',
  raw: true,
  input: z.object({ path: Path }),
  output: Nothing,
  record: ['path'],
  run: async (vault, { path }) => {
    await changeFiles(vault, rawRemove, { path: fsPath(path) });
    return {};
  },
});
