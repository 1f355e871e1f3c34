import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { rawThumbnail } from '../../engine/operations/raw/raw-read.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Path, Whole } from './schemas.ts';

export const thumbnailTool = defineTool({
  name: 'fs.thumbnail',
  title: 'Thumbnail',
  description:
    'A small picture of a JPEG, PNG, GIF or WebP image: PNG of a PNG, else JPEG. Never enlarged.',
  effect: 'read',
  raw: true,
  input: z.object({
    path: Path,
    maxDim: Whole.describe(`The longer side at most, up to ${limits.thumbnailSideMax}.`),
  }),
  output: z.object({
    contentBase64: z.string(),
    mtime: z.number(),
    sourceSize: z.number(),
    format: z.enum(['jpeg', 'png']),
    width: z.number(),
    height: z.number(),
  }),
  record: ['path', 'maxDim'],
  run: async (vault, { path, maxDim }) => {
    const { thumbnail, stat } = await rawThumbnail(vault, { path: fsPath(path), maxDim });
    const { bytes, format, width, height } = thumbnail;
    const contentBase64 = vault.vault.parts.base64.encode(bytes);
    const { mtimeMs: mtime, size: sourceSize } = stat;
    return { contentBase64, mtime, sourceSize, format, width, height };
  },
});
