import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Path, PathEntry, Recursive, Whole } from './schemas.ts';

export const walkTool = defineTool({
  name: 'fs.walk',
  title: 'Walk',
  description:
    'What is in a folder, with "recursive" all that is below, in one list: each folder before what is in it. Symlinks are not entered.',
  effect: 'read',
  raw: true,
  input: z.object({
    path: Path,
    recursive: Recursive.describe('Whether folders are entered.'),
    maxEntries: Whole.default(0).describe(
      `How many are listed at most; 0 is ${limits.walkEntries}. "truncated" says whether there are more.`,
    ),
  }),
  output: z.object({ entries: z.array(PathEntry), truncated: z.boolean() }),
  record: ['path', 'recursive', 'maxEntries'],
  run: async (vault, { path, recursive, maxEntries }) => {
    const wanted = maxEntries <= 0 ? limits.walkEntries : maxEntries;
    const { entries, truncated } = await seenFiles(vault).walk(fsPath(path), {
      recursive,
      entriesMax: Math.min(wanted, limits.walkEntriesMax),
      signal: vault.caller.signal,
    });
    return {
      entries: entries.map(({ path: at, kind, mtimeMs, size }) => ({
        path: at,
        type: kind,
        mtime: mtimeMs,
        size,
      })),
      truncated,
    };
  },
});
