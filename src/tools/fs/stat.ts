import { z } from 'zod';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Path, Stat } from './schemas.ts';
import { wireStat } from './wire-stat.ts';

export const statTool = defineTool({
  name: 'fs.stat',
  title: 'Stat',
  description: 'What a path is, symlinks followed; null when there is nothing.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: Stat.nullable(),
  record: ['path'],
  run: async (vault, { path }) => {
    const stat = await seenFiles(vault).stat(fsPath(path));
    return stat === undefined ? null : wireStat(stat);
  },
});
