import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { fileNameOf, type VaultFolder } from '../../base/vault-path.ts';
import { rawList, rawStat, rawStats, rawWalk } from '../../engine/operations/raw/raw-list.ts';
import type { RawEntry, RawStat } from '../../engine/ports/raw-disk.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Path, Recursive, Whole } from './schemas.ts';

const Stat = z.object({
  type: z.enum(['file', 'folder', 'symlink']),
  mtime: z.number(),
  size: z.number(),
  mode: z.number(),
});

const entryShape = { type: Stat.shape.type, mtime: z.number(), size: z.number() };

export const statTool = defineTool({
  name: 'fs.stat',
  title: 'Stat',
  description: 'What a path is, symlinks followed; null when there is nothing.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: Stat.nullable(),
  record: ['path'],
  run: async (vault, { path }) => statAnswer(await rawStat(vault, { path: fsPath(path) })),
});

export const existsTool = defineTool({
  name: 'fs.exists',
  title: 'Exists',
  description: 'Whether there is something at a path, symlinks followed.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: z.object({ exists: z.boolean() }),
  record: ['path'],
  run: async (vault, { path }) => ({
    exists: (await rawStat(vault, { path: fsPath(path) })) !== undefined,
  }),
});

const Failed = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export const batchStatTool = defineTool({
  name: 'fs.batchStat',
  title: 'Stat many',
  description: `What up to ${limits.batchStatMax} paths are, in order: each as fs.stat says it, or {"error":{"code","message"}} where that fails; the code is a word such as "outside_vault".`,
  effect: 'read',
  raw: true,
  input: z.object({
    paths: z
      .array(z.string())
      .max(limits.batchStatMax, `it has at most ${limits.batchStatMax} paths`)
      .describe('The paths.'),
  }),
  output: z.object({ stats: z.array(z.union([Stat, Failed]).nullable()) }),
  record: [],
  run: async (vault, { paths }) => {
    const stats = await rawStats(vault, { paths: paths.map(pathOrFailure) });
    return { stats: stats.map(statOrErrorAnswer) };
  },
});

export const listTool = defineTool({
  name: 'fs.list',
  title: 'List',
  description: 'What is in a folder, sorted by name; symlinks are listed as such.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path }),
  output: z.object({ entries: z.array(z.object({ name: z.string(), ...entryShape })) }),
  record: ['path'],
  run: async (vault, { path }) => {
    const entries = await rawList(vault, { path: fsPath(path) });
    return {
      entries: entries.map((entry) => ({ name: fileNameOf(entry.path), ...entryAnswer(entry) })),
    };
  },
});

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
  output: z.object({
    entries: z.array(z.object({ path: z.string(), ...entryShape })),
    truncated: z.boolean(),
  }),
  record: ['path', 'recursive', 'maxEntries'],
  run: async (vault, { path, recursive, maxEntries: entriesMax }) => {
    const request = { path: fsPath(path), recursive, entriesMax };
    const { entries, truncated } = await rawWalk(vault, request);
    return {
      entries: entries.map((entry) => ({ path: entry.path, ...entryAnswer(entry) })),
      truncated,
    };
  },
});

/** A stat in the words of the protocol; null for nothing. */
function statAnswer(stat: RawStat | undefined): z.output<typeof Stat> | null {
  if (stat === undefined) return null;
  const { kind, mtimeMs, size, mode } = stat;
  return { type: kind, mtime: mtimeMs, size, mode };
}

function statOrErrorAnswer(stat: RawStat | VaultError | undefined) {
  if (!(stat instanceof VaultError)) return statAnswer(stat);
  return { error: { code: stat.code, message: stat.message } };
}

/** An entry of a folder in the words of the protocol, without its name. */
function entryAnswer({ kind, mtimeMs, size }: RawEntry) {
  return { type: kind, mtime: mtimeMs, size };
}

/** The path, or why it is none, so that one wrong path does not fail the whole call. */
function pathOrFailure(path: string): VaultFolder | VaultError {
  try {
    return fsPath(path);
  } catch (error) {
    if (error instanceof VaultError) return error;
    throw error;
  }
}
