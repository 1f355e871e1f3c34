import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { type VaultFolder, vaultFolder } from '../../base/vault-path.ts';
import { findFolder } from '../../engine/notes/find-folder.ts';
import { listFiles, listNoteNames } from '../../engine/operations/list/list-files.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, countOr, optionalChoice, optionalText } from '../define/note-input.ts';
import { fitItems, nextOffset } from '../wording/fit-answer.ts';
import { localTimes } from '../wording/local-times.ts';
import { sinceMs } from '../wording/since.ts';

export const listNotesTool = defineTool({
  name: 'list_notes',
  title: 'List notes',
  description: 'List note names, or what changed lately. To find one: search_notes.',
  effect: 'read',
  input: z.object({
    limit: countOr(100, 'At most', { max: limits.resultsMax }),
    offset: count('To skip'),
    folder: optionalText('With subfolders'),
    sort: optionalChoice(['name', 'modified'], 'modified: with times'),
    since: optionalText('Modified since: 2h, 3d, 2026-11-09'),
  }),
  output: z.object({
    total: z.number(),
    /** The offset from UTC of all times. */
    zone: z.string().optional(),
    /** Names; sorted by time, paths, each with the time of its last change. */
    notes: z.array(z.union([z.string(), z.tuple([z.string(), z.string()]).readonly()])).readonly(),
    offset: z.number().optional(),
    next_offset: z.number().optional(),
    hint: z.string().optional(),
  }),
  record: ['limit', 'offset', 'folder', 'sort', 'since'],
  run: async (vault, { folder = '', offset = 0, since, limit, ...rest }) => {
    const sort = rest.sort ?? (since === undefined ? 'name' : 'modified');
    const nowMs = vault.vault.parts.clock.nowMs();
    const when = sinceMs(since, nowMs);
    const request = { sort, limit, offset, folder: vaultFolder(folder), ...when };
    if (sort === 'name') {
      const { total, names } = await listNoteNames(vault, request);
      const notes = fitItems(names, { total, offset });
      const next = nextOffset({ total, offset, shown: notes.length });
      return {
        total,
        notes,
        offset,
        ...next,
        ...(total > 0 ? {} : await otherFiles(vault, request)),
      };
    }
    const { zone, of } = localTimes(nowMs);
    const { total, items } = await listFiles(vault, { ...request, kinds: ['note'] });
    const rows = items.map(({ path, mtimeMs }) => [path, of(mtimeMs)] as const);
    const notes = fitItems(rows, { total, zone });
    const next = nextOffset({ total, offset, shown: notes.length });
    return { total, zone, notes, ...next, ...(total > 0 ? {} : await otherFiles(vault, request)) };
  },
});

/** What a folder without notes has instead, and how to list it; nothing where it has nothing. */
async function otherFiles(
  vault: BoundVault,
  request: { readonly folder: VaultFolder; readonly sinceMs?: number },
): Promise<{ readonly hint?: string }> {
  if (request.sinceMs !== undefined) return {};
  const kinds = ['attachment', 'canvas', 'base'] as const;
  const folder = await findFolder(vault, request.folder);
  const asked = { folder, kinds, sort: 'path', limit: 0, offset: 0 } as const;
  const { total } = await listFiles(vault, asked);
  if (total === 0) return {};
  const filter = folder === '' ? 'file.ext != "md"' : `file.inFolder(${JSON.stringify(folder)})`;
  const files =
    total === 1 ? 'is 1 file that is not a note' : `are ${total} files that are not notes`;
  return { hint: `There ${files}: query_notes with filter ${filter} lists them.` };
}
