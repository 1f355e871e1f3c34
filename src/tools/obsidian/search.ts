import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { type SearchAnswer, searchNotes } from '../../engine/operations/search/search-notes.ts';
import { defineTool } from '../define/define-tool.ts';
import { countOr, filled, flag, given, optionalText } from '../define/note-input.ts';
import { searchRemarks } from '../wording/search-remarks.ts';
import { listPage, Offset } from './list-page.ts';

const Match = z.object({
  path: z.string(),
  lines: z
    .array(
      z.object({
        line: z.number(),
        page: z.number().optional(),
        text: z.string(),
        heading: z.string().optional(),
      }),
    )
    .readonly(),
  /** How many lines match, when fewer are shown. */
  lines_total: z.number().optional(),
  /** Where it was found, if no line shows it. */
  matched: z.string().optional(),
});

export const searchTool = defineTool({
  name: 'obsidian_search',
  title: 'Search vault',
  description: 'Search the vault as the app does, best matches first',
  effect: 'read',
  input: z.object({
    query: filled(
      'Words, "a phrase", -without, OR, (), /regex/, tag: path: file: line: section: task: [property:value]',
      limits.queryCharsMax,
    ),
    folder: optionalText('Only in this folder'),
    limit: countOr(20, 'At most this many', { min: 1, max: limits.searchResultsMax }),
    offset: Offset,
    context: flag('Show matching lines'),
  }),
  output: z.object({
    total: z.number(),
    files: z.array(z.string()).readonly().optional(),
    /** Instead of `files`, when matching lines are asked for. */
    matches: z.array(Match).readonly().optional(),
    next_offset: z.number().optional(),
    incomplete: z.string().optional(),
    hint: z.string().optional(),
  }),
  record: ['folder', 'limit', 'offset', 'context'],
  run: async (vault, { query, folder = '', limit, offset = 0, context = false }) => {
    const request = { query, folder: vaultFolder(folder), limit, offset };
    const { total, hits, ...rest } = await searchNotes(vault, request);
    const page = context
      ? listPage('matches', { total, items: hits.map(matchOf), offset })
      : listPage('files', { total, items: hits.map(({ path }) => path), offset });
    return { ...page, ...searchRemarks(rest) };
  },
});

function matchOf({ path, lines, matches, matched }: SearchAnswer['hits'][number]) {
  return { path, lines, ...given({ lines_total: matches, matched }) };
}
