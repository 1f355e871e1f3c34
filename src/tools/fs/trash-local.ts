import { z } from 'zod';
import { rawTrash } from '../../engine/operations/raw/raw-move.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFiles } from './change-files.ts';
import { Nothing, Path } from './schemas.ts';

export const trashLocalTool = defineTool({
  name: 'fs.trashLocal',
  title: 'Move to the trash',
  description:
    'Moves a file or a folder to its path in ".trash", or to a free name beside it if that is taken.',
  effect: 'destroy',
  raw: true,
  input: z.object({ path: Path }),
  output: Nothing,
  record: ['path'],
  run: async (vault, { path }) => {
    await changeFiles(vault, rawTrash, { path: fsPath(path) });
    return {};
  },
});
