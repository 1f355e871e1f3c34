import { z } from 'zod';
import { searchLines } from '../../engine/operations/search/search-lines.ts';
import { defineTool } from '../define/define-tool.ts';
import { filled, optionalText } from '../define/note-input.ts';
import { fitItems } from '../wording/fit-answer.ts';

export const vaultSearchTool = defineTool({
  name: 'vault_search',
  title: 'Search the vault',
  description:
    'Find lines with ripgrep. The query is a regular expression (Rust syntax, one line at a time, no look-around or backreferences), case-sensitive unless it begins with (?i); escape . ( [ and the like with a backslash to find them as they are.',
  effect: 'read',
  appView: 'find',
  input: z.object({
    query: filled('Regular expression, e.g. (?i)deploy(ed|ment)'),
    path_filter: optionalText('Only files that this glob matches, e.g. devlog/*.md or !archive/**'),
  }),
  output: z.object({
    results: z
      .array(
        z.object({
          path: z.string(),
          line: z.int().describe('From 1'),
          text: z.string().describe('The line, cut where it is long'),
        }),
      )
      .readonly()
      .describe('By path and line'),
    truncated: z.boolean().describe('Whether there are more'),
    note: z.string().optional(),
  }),
  record: ['path_filter'],
  run: async (vault, { query, path_filter }) => {
    const { lines, more } = await searchLines(vault, { pattern: query, glob: path_filter });
    const results = fitItems(lines, { truncated: true, note: noteFor(lines.length) });
    if (!more && results.length === lines.length) return { results, truncated: false };
    return { results, truncated: true, note: noteFor(results.length) };
  },
});

function noteFor(shown: number): string {
  return `Only the first ${shown} lines are shown. Make the query more exact, or set path_filter.`;
}
