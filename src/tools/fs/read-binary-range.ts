import { z } from 'zod';
import { rawReadRange } from '../../engine/operations/raw/raw-read.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { ExpectedMtime, Path, ReadBytes, Whole } from './schemas.ts';

export const readBinaryRangeTool = defineTool({
  name: 'fs.readBinaryRange',
  title: 'Read a range',
  description: 'Some bytes of a file in base64, fewer where it ends; "size" is that of the file.',
  effect: 'read',
  raw: true,
  input: z.object({
    path: Path,
    offset: Whole.default(0).describe('Where it begins.'),
    length: Whole.default(0).describe('How many bytes.'),
    expectedMtime: ExpectedMtime,
  }),
  output: ReadBytes,
  record: ['path', 'offset', 'length', 'expectedMtime'],
  run: async (vault, { path, offset, length, expectedMtime: expectedMtimeMs }) => {
    const request = { path: fsPath(path), offset, length, expectedMtimeMs };
    const { bytes, stat } = await rawReadRange(vault, request);
    const contentBase64 = vault.vault.parts.base64.encode(bytes);
    return { contentBase64, mtime: stat.mtimeMs, size: stat.size };
  },
});
