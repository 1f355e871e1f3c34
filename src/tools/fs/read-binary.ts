import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import { rawError } from '../../engine/ports/raw-disk.ts';
import { withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Path, ReadBytes } from './schemas.ts';

/** What to do about a file that does not fit into one message. */
export const inParts = 'Read it in parts with fs.readBinaryRange.';

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
    const file = fsPath(path);
    if (file === '') throw rawError('is_a_folder', file, 'is a folder; list it instead');
    const { bytes, stat } = await withAdvice({ too_large: inParts }, () =>
      seenFiles(vault).read(file, { bytesMax: limits.remoteReadBytesMax }),
    );
    const contentBase64 = vault.vault.parts.base64.encode(bytes);
    return { contentBase64, mtime: stat.mtimeMs, size: stat.size };
  },
});
