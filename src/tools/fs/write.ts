import { z } from 'zod';
import { rawWrite } from '../../engine/operations/raw/raw-write.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFile } from './change-files.ts';
import { Changed, Content, ExpectedMtime, Path } from './schemas.ts';

const encoder = new TextEncoder();

export const writeTool = defineTool({
  name: 'fs.write',
  title: 'Write text',
  description: 'Gives a file this text, or makes it with the folders it needs.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, content: Content, expectedMtime: ExpectedMtime }),
  output: Changed,
  record: ['path', 'expectedMtime'],
  run: (vault, { path, content, expectedMtime: expectedMtimeMs }) => {
    const bytes = encoder.encode(content);
    return changeFile(vault, rawWrite, { path: fsPath(path), bytes, expectedMtimeMs });
  },
});
