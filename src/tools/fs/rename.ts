import { z } from 'zod';
import { rawMove } from '../../engine/operations/raw/raw-move.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFile } from './change-files.ts';
import { Changed, Path } from './schemas.ts';

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
