import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { backlinkLines } from '../../engine/operations/read/backlink-lines.ts';
import { defineTool } from '../define/define-tool.ts';
import { fitItems } from '../wording/fit-answer.ts';
import { exactly, NotePath } from './schemas.ts';

export const backlinksSearchTool = defineTool({
  name: 'backlinks_search',
  title: 'Search backlinks',
  description: 'List the links to a note or other file, with the lines they stand on.',
  effect: 'read',
  existing: 'path',
  input: z.object({ path: NotePath }),
  output: z.object({
    total: z.int().describe('How many links there are'),
    truncated: z.boolean().describe('Whether some are left out'),
    backlinks: z
      .array(
        z.object({
          path: z.string(),
          line: z.int().describe('From 1'),
          text: z.string().describe('The line, or the part of it around the link'),
        }),
      )
      .readonly()
      .describe('By path and line'),
  }),
  record: ['path'],
  run: async (vault, { path }) => {
    const { total, lines } = await backlinkLines(vault, {
      name: exactly(path),
      limit: limits.foundLinesMax,
      charsMax: limits.foundLineCharsMax,
    });
    const backlinks = fitItems(lines, { total, truncated: true });
    return { total, truncated: total > backlinks.length, backlinks };
  },
});
