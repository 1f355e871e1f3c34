import { z } from 'zod';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import { rawError } from '../../engine/ports/raw-disk.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Path } from './schemas.ts';

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
    const file = fsPath(path);
    if (file === '') throw rawError('is_a_folder', file, 'is a folder');
    const { version, stat } = await seenFiles(vault).hash(file, { signal: vault.caller.signal });
    return { sha256: version, mtime: stat.mtimeMs, size: stat.size };
  },
});
