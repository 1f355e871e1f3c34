import { z } from 'zod';
import { rawCopy } from '../../engine/operations/raw/raw-write.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFile } from './change-files.ts';
import { Changed, Path } from './schemas.ts';

export const copyTool = defineTool({
  name: 'fs.copy',
  title: 'Copy a file',
  description:
    'Puts the bytes of a file at another path, in place of a file there, and makes the folders it needs.',
  effect: 'write',
  raw: true,
  input: z.object({ srcPath: Path, destPath: Path }),
  output: Changed,
  record: ['srcPath', 'destPath'],
  run: (vault, { srcPath, destPath }) =>
    changeFile(vault, rawCopy, { from: fsPath(srcPath), to: fsPath(destPath) }),
});
