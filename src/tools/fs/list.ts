import { z } from 'zod';
import { fileNameOf } from '../../base/vault-path.ts';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { NamedEntry, Path } from './schemas.ts';

export const listTool = defineTool({
  name: 'fs.list',
  title: 'List',
  description: 'What is in a folder, sorted by name; symlinks are listed as such.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: z.object({ entries: z.array(NamedEntry) }),
  record: ['path'],
  run: async (vault, { path }) => {
    const entries = await seenFiles(vault).list(fsPath(path));
    return {
      entries: entries.map(({ path: at, kind, mtimeMs, size }) => ({
        name: fileNameOf(at),
        type: kind,
        mtime: mtimeMs,
        size,
      })),
    };
  },
});
