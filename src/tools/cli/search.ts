import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { searchNotes } from '../../engine/operations/search-notes.ts';
import { defineTool } from '../define-tool.ts';
import { Folder, limitOf, listOf, Offset } from './schemas.ts';
import { lines, plain } from './text.ts';

export const searchTool = defineTool({
  name: 'search',
  title: 'Search',
  description: 'Finds notes by their words, best first: words, "phrases", -excluded.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).describe('What to look for.'),
    folder: Folder,
    limit: limitOf(20, limits.searchResultsMax),
    offset: Offset,
  }),
  output: z.object({
    total: z.number(),
    hits: listOf(
      z.object({
        path: z.string(),
        title: z.string(),
        score: z.number(),
        lines: listOf(
          z.object({ line: z.number(), text: z.string(), heading: z.string().exactOptional() }),
        ),
      }),
    ),
    complete: z.boolean(),
  }),
  record: ['folder', 'limit', 'offset'],
  positional: ['query'],
  run: searchNotes,
  text: ({ total, hits, complete }, paint) =>
    lines([
      ...hits.flatMap((hit) => [
        paint.strong(plain(hit.path)),
        ...hit.lines.map(({ line, text }) => `  ${paint.faint(`${line}:`)} ${plain(text)}`),
      ]),
      ...(total === 0 ? ['Nothing found.'] : []),
      ...(total > hits.length ? [`… ${total} in all; use --limit and --offset.`] : []),
      ...(complete ? [] : ['The index is still being filled: more may be found in a moment.']),
    ]),
});
