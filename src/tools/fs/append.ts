import { z } from 'zod';
import { rawAppend } from '../../engine/operations/raw/raw-write.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFile } from './change-files.ts';
import { Changed, Content, Path } from './schemas.ts';

const encoder = new TextEncoder();

export const appendTool = defineTool({
  name: 'fs.append',
  title: 'Append text',
  description: 'Puts text at the end of a file, or makes the file, but not its folder.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, content: Content }),
  output: Changed,
  record: ['path'],
  run: (vault, { path, content }) =>
    changeFile(vault, rawAppend, { path: fsPath(path), bytes: encoder.encode(content) }),
});
