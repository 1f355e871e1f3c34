import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { searchNotes } from '../../engine/operations/search-notes.ts';
import { defineTool } from '../define-tool.ts';
import { countOr, filled, flag, optionalText } from '../note-input.ts';
import { listPage, Offset } from './list-page.ts';

const Match = z.object({
  path: z.string(),
  lines: z
    .array(z.object({ line: z.number(), text: z.string(), heading: z.string().optional() }))
    .readonly(),
});

export const searchTool = defineTool({
  name: 'obsidian_search',
  title: 'Search vault',
  description:
    'Search the vault for text, best matches first: all words, "a phrase", -without; no tag: or path:',
  effect: 'read',
  input: z.object({
    query: filled('What to find', limits.queryCharsMax),
    folder: optionalText('Only in this folder'),
    limit: countOr(20, 'At most this many', { min: 1, max: limits.searchResultsMax }),
    offset: Offset,
    context: flag('Show matching lines'),
  }),
  output: z.object({
    total: z.number(),
    files: z.array(z.string()).readonly().optional(),
    /** In place of files, where lines are asked for. */
    matches: z.array(Match).readonly().optional(),
    next_offset: z.number().optional(),
    incomplete: z.string().optional(),
  }),
  record: ['folder', 'limit', 'offset', 'context'],
  run: async (vault, { query, folder = '', limit, offset = 0, context = false }) => {
    const request = { query, folder: vaultFolder(folder), limit, offset };
    const { total, hits, complete } = await searchNotes(vault, request);
    const page = context
      ? listPage('matches', { total, items: hits.map(matchOf), offset })
      : listPage('files', { total, items: hits.map(({ path }) => path), offset });
    return { ...page, ...(complete ? {} : { incomplete: stillFilling }) };
  },
});

const stillFilling =
  'The vault is still being indexed, so more may be found in a moment: ask again.';

function matchOf({ path, lines }: z.output<typeof Match>) {
  return { path, lines };
}
