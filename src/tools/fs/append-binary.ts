import { z } from 'zod';
import { rawAppend } from '../../engine/operations/raw/raw-write.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFile } from './change-files.ts';
import { decodeBase64 } from './decode-base64.ts';
import { Changed, ContentBase64, Path } from './schemas.ts';

export const appendBinaryTool = defineTool({
  name: 'fs.appendBinary',
  title: 'Append binary',
  description: 'Puts bytes at the end of a file, or makes the file, but not its folder.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, contentBase64: ContentBase64 }),
  output: Changed,
  record: ['path'],
  run: (vault, { path, contentBase64 }) => {
    const bytes = decodeBase64(vault, contentBase64);
    return changeFile(vault, rawAppend, { path: fsPath(path), bytes });
  },
});
