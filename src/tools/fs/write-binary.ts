import { z } from 'zod';
import { rawWrite } from '../../engine/operations/raw/raw-write.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { changeFile } from './change-files.ts';
import { decodeBase64 } from './decode-base64.ts';
import { Changed, ContentBase64, ExpectedMtime, Path } from './schemas.ts';

export const writeBinaryTool = defineTool({
  name: 'fs.writeBinary',
  title: 'Write binary',
  description: 'Gives a file these bytes, or makes it with the folders it needs.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, contentBase64: ContentBase64, expectedMtime: ExpectedMtime }),
  output: Changed,
  record: ['path', 'expectedMtime'],
  run: (vault, { path, contentBase64, expectedMtime: expectedMtimeMs }) => {
    // Before the path, as clients know it.
    const bytes = decodeBase64(vault, contentBase64);
    return changeFile(vault, rawWrite, { path: fsPath(path), bytes, expectedMtimeMs });
  },
});
