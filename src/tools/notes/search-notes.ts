import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { type VaultFolder, vaultFolder } from '../../base/vault-path.ts';
import type {
  ModeHit,
  SearchMode,
  Suggestions,
} from '../../engine/operations/search/search-by-mode.ts';
import { searchByMode, searchModes } from '../../engine/operations/search/search-by-mode.ts';
import type { HitBounds, HitLine } from '../../engine/ports/text-matcher.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, count, countOr, filled, given, optionalText } from '../define/note-input.ts';
import { firstOf, fitItems, nextOffset } from '../wording/fit-answer.ts';
import { hitPlace, linePlace, meaningRemark, searchRemarks } from '../wording/search-remarks.ts';

export const searchNotesTool = defineTool({
  name: 'search_notes',
  title: 'Search notes',
  description:
    'Find notes, best first, with matching lines. Mode name: exact name or alias; tag: nested ones too. Then read_note.',
  effect: 'read',
  appView: 'find',
  input: z.object({
    query: filled(
      'Words, "a phrase", -without, OR, (), /regex/, tag: path: file: line: section: task: [property:value]',
      limits.queryCharsMax,
    ),
    mode: choice(searchModes, 'Where'),
    limit: countOr(20, 'At most', { min: 1, max: limits.searchResultsMax }),
    offset: count('To skip'),
    folder: optionalText('Only in it'),
  }),
  output: z.object({
    total: z.number(),
    hits: z
      .array(
        z.object({
          path: z.string(),
          /** The aliases that match the query. */
          aliases: z.array(z.string()).readonly().optional(),
          /** The best lines, each as "12: text". */
          lines: z.array(z.string()).readonly().optional(),
          /** How many lines match, when fewer are shown; "1000+" when there may be more. */
          matches: z.union([z.number(), z.string()]).optional(),
          /** The heading that all these lines stand under, where the note is long. */
          section: z.string().optional(),
          /** What was found where no line shows it. */
          matched: z.string().optional(),
        }),
      )
      .readonly(),
    next_offset: z.number().optional(),
    incomplete: z.string().optional(),
    hint: z.string().optional(),
    suggestions: z.array(z.string()).readonly().optional(),
  }),
  record: ['mode', 'limit', 'offset', 'folder'],
  run: async (vault, { query, mode, folder: within, limit, offset = 0 }) => {
    const folder = vaultFolder(within ?? '');
    const found = await searchByMode(vault, { mode, query, folder, limit, offset, show });
    const { total, suggestions } = found;
    const hits = fitItems(found.hits.map(hitOf), { total });
    return {
      total,
      hits,
      ...nextOffset({ total, offset, shown: hits.length }),
      ...searchRemarks(found),
      // Only when all notes were looked through can the answer say that nothing was found.
      ...(hits.length === 0 && (total > 0 || found.incomplete === undefined)
        ? nothingFound({ mode, total, folder, suggestions, remark: meaningRemark(found) })
        : {}),
    };
  },
});

/** How many lines all hits of an answer show together, and how many of them one hit. */
const linesOfAll = 24;
const linesOfOne = 20;
const lineChars = 100;

/** The fewer hits there are, the more lines each of them shows. */
function show(hits: number): HitBounds {
  const lines = Math.max(1, Math.floor(linesOfAll / hits));
  return { lines: Math.min(lines, linesOfOne), chars: lineChars };
}

function hitOf({ path, aliases = [], lines, matches, orMore, matched }: ModeHit) {
  return {
    path: hitPlace(path, lines),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(lines.length === 0
      ? {}
      : { lines: lines.map((line) => `${linePlace(line)}: ${line.text}`) }),
    ...(matches === undefined ? {} : { matches: orMore ? `${matches}+` : matches }),
    ...given({ section: sectionOf(lines), matched }),
  };
}

/** A line after this one stands in a note that is long enough to be read by sections. */
const longNoteLines = 60;
const sectionChars = 60;

/** The heading under which all lines stand, if the note is long and no line says it. */
function sectionOf(lines: readonly HitLine[]): string | undefined {
  const [first, ...rest] = lines;
  if (first === undefined || (lines.at(-1)?.line ?? 0) <= longNoteLines) return undefined;
  const { heading, text } = first;
  if (rest.length === 0 && text.replace(/^#+ +/, '') === heading) return undefined;
  // A heading that is mostly an address costs more than it says.
  if (heading === undefined || heading.length > sectionChars) return undefined;
  return rest.every((line) => line.heading === heading) ? heading : undefined;
}

/** What to try when a search found nothing, or nothing at this offset. */
function nothingFound(search: {
  readonly mode: SearchMode;
  readonly total: number;
  readonly folder: VaultFolder;
  readonly suggestions: Suggestions | undefined;
  readonly remark: readonly string[];
}): { readonly hint: string; readonly suggestions?: readonly string[] } {
  const { mode, total, folder, suggestions, remark } = search;
  if (total > 0) return { hint: `There are only ${total} hits: use a smaller offset.` };
  const hint = [
    hints[mode],
    ...(folder === '' ? [] : ['Or search without folder.']),
    ...remark,
  ].join(' ');
  if (suggestions === undefined || suggestions.found.length === 0) return { hint };
  return {
    hint: `${hint} ${suggested[suggestions.what]} are in suggestions.`,
    suggestions: firstOf(suggestions.found),
  };
}

/** What to try when a search in a mode found nothing. */
const hints: Readonly<Record<SearchMode, string>> = {
  content:
    'No note matches all of this. Try fewer or other words, or mode "name_partial" or "tag".',
  name: 'No note has exactly this name or alias. Try mode "name_partial" or "content".',
  name_partial: 'No name or alias contains this. Try a shorter part, or mode "content".',
  tag: 'No note has this tag. Try another one, or mode "content".',
};

const suggested: Readonly<Record<Suggestions['what'], string>> = {
  'closest names': 'Names that come closest',
  'closest tags': 'Tags that come closest',
  'common tags': 'The most used tags',
};
