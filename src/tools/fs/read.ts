import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import {
  rawHash,
  rawReadBytes,
  rawReadRange,
  rawReadText,
  rawThumbnail,
} from '../../engine/operations/raw/raw-read.ts';
import type { RawStat } from '../../engine/ports/raw-disk.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { ExpectedMtime, Path, Whole } from './schemas.ts';

const Encoding = z.literal('utf8');

/** Some bytes of a file, or all of them; `size` is that of the whole file. */
const ReadBytes = z.object({
  contentBase64: z.string(),
  mtime: z.number(),
  size: z.number(),
});

/** The advice for a file that does not fit into one message. */
const tooLarge = { too_large: 'Read it in parts with fs.readBinaryRange.' };

export const readTextTool = defineTool({
  name: 'fs.readText',
  title: 'Read text',
  description: 'The text of a file as it is; what is not UTF-8 is an error.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path, encoding: Encoding.default('utf8') }),
  output: z.object({
    content: z.string(),
    mtime: z.number(),
    size: z.number(),
    encoding: Encoding,
  }),
  record: ['path'],
  run: async (vault, { path, encoding }) => {
    const { text, stat } = await withAdvice(tooLarge, () =>
      rawReadText(vault, { path: fsPath(path) }),
    );
    return { content: text, mtime: stat.mtimeMs, size: stat.size, encoding };
  },
});

export const readBinaryTool = defineTool({
  name: 'fs.readBinary',
  title: 'Read binary',
  description: `The bytes of a file of up to ${limits.remoteReadBytesMax} bytes, in base64.`,
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: ReadBytes,
  record: ['path'],
  run: async (vault, { path }) => {
    const read = await withAdvice(tooLarge, () => rawReadBytes(vault, { path: fsPath(path) }));
    return bytesAnswer(vault, read);
  },
});

export const readBinaryRangeTool = defineTool({
  name: 'fs.readBinaryRange',
  title: 'Read a range',
  description:
    'Some bytes of a file in base64, fewer if the file ends before; "size" is the size of the whole file.',
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
    return bytesAnswer(vault, await rawReadRange(vault, request));
  },
});

export const hashTool = defineTool({
  name: 'fs.hash',
  title: 'Hash',
  description: 'The SHA-256 of a file of any size, in lower-case hex.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: z.object({ sha256: z.string(), mtime: z.number(), size: z.number() }),
  record: ['path'],
  run: async (vault, { path }) => {
    const { version, stat } = await rawHash(vault, { path: fsPath(path) });
    return { sha256: version, mtime: stat.mtimeMs, size: stat.size };
  },
});

export const thumbnailTool = defineTool({
  name: 'fs.thumbnail',
  title: 'Thumbnail',
  description:
    'A small picture of a JPEG, PNG, GIF or WebP image, as PNG if the image is a PNG, otherwise as JPEG. Never enlarged.',
  effect: 'read',
  raw: true,
  input: z.object({
    path: Path,
    maxDim: Whole.describe(`The longest side in pixels, at most ${limits.thumbnailSideMax}.`),
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

function bytesAnswer(
  vault: BoundVault,
  { bytes, stat }: { readonly bytes: Uint8Array; readonly stat: RawStat },
): z.output<typeof ReadBytes> {
  const contentBase64 = vault.vault.parts.base64.encode(bytes);
  return { contentBase64, mtime: stat.mtimeMs, size: stat.size };
}
