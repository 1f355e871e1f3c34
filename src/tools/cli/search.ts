import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { searchNotes } from '../../engine/operations/search/search-notes.ts';
import { defineTool } from '../define/define-tool.ts';
import { hitPlace, linePlace, searchRemarks } from '../wording/search-remarks.ts';
import { markedLine } from './marked-line.ts';
import { Folder, limitOf, listOf, Offset } from './schemas.ts';
import { lines, listRemarks, plain } from './text.ts';

export const searchTool = defineTool({
  name: 'search',
  title: 'Search',
  description: 'Finds notes, best first: words, "phrases", -excluded, tag:, /regex/.',
  effect: 'read',
  input: z.object({
    query: z
      .string()
      .min(1)
      .describe('What to look for, written as in Obsidian; docs/search.md explains it.'),
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
          z.object({
            line: z.number(),
            page: z.number().exactOptional(),
            text: z.string(),
            /** The pieces of the text that match: from one character up to another. */
            marks: listOf(z.tuple([z.number(), z.number()]).readonly()).exactOptional(),
            heading: z.string().exactOptional(),
          }),
        ),
        /** How many lines match, when fewer are shown; with `orMore`, at least so many. */
        matches: z.number().exactOptional(),
        orMore: z.literal(true).exactOptional(),
        /** Where it was found, if no line shows it. */
        matched: z.enum(['name', 'path']).exactOptional(),
      }),
    ),
    complete: z.boolean(),
    incomplete: z.enum(['indexing', 'time', 'documents']).exactOptional(),
    corrected: listOf(z.object({ word: z.string(), to: listOf(z.string()) })).exactOptional(),
    partial: z.literal(true).exactOptional(),
    /** How many of the `total` notes have all words of the query, when the others have only some. */
    whole: z.number().exactOptional(),
    /** Whether the embedding model has not answered, or not seen all notes yet. */
    meaning: z.enum(['words', 'partly']).exactOptional(),
  }),
  record: ['folder', 'limit', 'offset'],
  positional: ['query'],
  joinsWords: true,
  examples: [
    'vaultdoor search sourdough',
    'vaultdoor search cold rise',
    `vaultdoor search 'tag:cooking line:(bread OR dough)'`,
    `vaultdoor search '"cold rise" -path:Daily' --folder Recipes`,
  ],
  run: (vault, request) =>
    searchNotes(vault, { ...request, show: () => ({ lines: 3, chars: 200, marks: true }) }),
  text: ({ hits }, paint) =>
    lines(
      hits.flatMap((hit) => [
        paint.strong(plain(hitPlace(hit.path, hit.lines))),
        ...hit.lines.map(({ text, marks = [], ...at }) => {
          const place = `  ${linePlace(at)}: `;
          return paint.faint(place) + markedLine(text, marks, paint, place.length);
        }),
        ...(hit.matches === undefined
          ? []
          : [paint.faint(`  … ${hit.matches}${hit.orMore ? ' or more' : ''} lines match`)]),
      ]),
    ),
  remarks: ({ total, hits, ...rest }) => {
    const { incomplete, hint } = searchRemarks(rest);
    return [
      ...(hint === undefined ? [] : [hint]),
      ...listRemarks('Nothing found.')({ total, items: hits }),
      ...(incomplete === undefined ? [] : [incomplete]),
    ];
  },
});
