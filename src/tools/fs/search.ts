import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { searchNotes } from '../../engine/operations/search/search-notes.ts';
import { defineTool } from '../define/define-tool.ts';
import { Whole } from './schemas.ts';

const standardLimit = 20;

export const searchTool = defineTool({
  name: 'fs.search',
  title: 'Search',
  description:
    'Notes, best first, in the language of the app: words, "phrases", -excluded, OR, /regex/, tag:, path: and so on. "complete" is false while the vault is still being indexed, and where not all notes could be looked through in time.',
  effect: 'read',
  raw: true,
  input: z.object({
    query: z.string().describe('What to look for.'),
    limit: Whole.default(standardLimit).describe(
      `How many are answered at most, up to ${limits.searchResultsMax}; "total" is how many there are.`,
    ),
  }),
  output: z.object({
    results: z.array(
      z.object({
        path: z.string(),
        title: z.string(),
        lines: z.array(z.object({ line: z.number(), text: z.string() })),
      }),
    ),
    total: z.number(),
    complete: z.boolean(),
  }),
  record: ['limit'],
  run: async (vault, { query, limit }) => {
    const wanted = limit <= 0 ? standardLimit : Math.min(limit, limits.searchResultsMax);
    const request = { query, folder: '', limit: wanted, offset: 0 } as const;
    const { hits, total, complete } = await searchNotes(vault, request);
    return {
      results: hits.map(({ path, title, lines }) => ({
        path,
        title,
        lines: lines.map(({ line, text }) => ({ line, text })),
      })),
      // `total` may leave out hits that have only some of the words; the answer counts all it has.
      total: Math.max(total, hits.length),
      complete,
    };
  },
});
