import { z } from 'zod';
import { rawMakeFolder } from '../../engine/operations/raw/raw-write.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFiles } from './change-files.ts';
import { Nothing, Path, Recursive } from './schemas.ts';

export const mkdirTool = defineTool({
  name: 'fs.mkdir',
  title: 'Make a folder',
  description: 'Makes a folder; one that is there already is fine.',
  effect: 'write',
  raw: true,
  input: z.object({
    path: Path,
    recursive: Recursive.describe('Whether the folders above it are made too.'),
  }),
  output: Nothing,
  record: ['path', 'recursive'],
  run: async (vault, { path, recursive }) => {
    await changeFiles(vault, rawMakeFolder, { path: fsPath(path), recursive });
    return {};
  },
});
