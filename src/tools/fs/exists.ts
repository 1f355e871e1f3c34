import { z } from 'zod';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Path } from './schemas.ts';

export const existsTool = defineTool({
  name: 'fs.exists',
  title: 'Exists',
  description: 'Whether there is something at a path, symlinks followed.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: z.object({ exists: z.boolean() }),
  record: ['path'],
  run: async (vault, { path }) => ({
    exists: (await seenFiles(vault).stat(fsPath(path))) !== undefined,
  }),
});
