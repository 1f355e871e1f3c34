import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { type VaultFolder, vaultFolder } from '../../base/vault-path.ts';
import type {
  ModeHit,
  SearchMode,
  Suggestions,
} from '../../engine/operations/search/search-by-mode.ts';
import { searchByMode, searchModes } from '../../engine/operations/search/search-by-mode.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, count, countOr, filled, optionalText } from '../define/note-input.ts';
import { firstOf, fitItems, nextOffset } from '../wording/fit-answer.ts';
import { searchRemarks } from '../wording/search-remarks.ts';

export const searchNotesTool = defineTool({
  name: 'search_notes',
  title: 'Search notes',
  description:
    'Find notes, best first. Modes: content (as the app searches), name (exact name or alias), name_partial, tag (nested ones too). Shows matching lines; for the text use read_note.',
  effect: 'read',
  input: z.object({
    query: filled(
      'Words, "a phrase", -without, OR, (), /regex/, tag: path: file: line: section: task: [property:value]',
      limits.queryCharsMax,
    ),
    mode: choice(searchModes, 'Where to look'),
    limit: countOr(20, 'At most this many', { min: 1, max: limits.searchResultsMax }),
    offset: count('Skip this many'),
    folder: optionalText('Only in this folder'),
  }),
  output: z.object({
    query: z.string(),
    mode: z.enum(searchModes),
    total: z.number(),
    hits: z
      .array(
        z.object({
          path: z.string(),
          title: z.string(),
          /** The aliases that match the query. */
          aliases: z.array(z.string()).readonly().optional(),
          lines: z
            .array(z.object({ line: z.number(), text: z.string(), heading: z.string().optional() }))
            .readonly()
            .optional(),
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
    const found = await searchByMode(vault, { mode, query, folder, limit, offset });
    const { total, suggestions } = found;
    const about = { query, mode, total };
    const hits = fitItems(found.hits.map(hitOf), about);
    return {
      ...about,
      hits,
      ...nextOffset({ total, offset, shown: hits.length }),
      ...searchRemarks(found),
      // Only when all notes were looked through can the answer say that nothing was found.
      ...(hits.length === 0 && (total > 0 || found.incomplete === undefined)
        ? nothingFound({ mode, total, folder, suggestions })
        : {}),
    };
  },
});

function hitOf({ path, title, aliases = [], lines, matched }: ModeHit) {
  return {
    path,
    title,
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(lines.length === 0 ? {} : { lines }),
    ...(matched === undefined ? {} : { matched }),
  };
}

/** What to try when a search found nothing, or nothing at this offset. */
function nothingFound(search: {
  readonly mode: SearchMode;
  readonly total: number;
  readonly folder: VaultFolder;
  readonly suggestions: Suggestions | undefined;
}): { readonly hint: string; readonly suggestions?: readonly string[] } {
  const { mode, total, folder, suggestions } = search;
  if (total > 0) return { hint: `There are only ${total} hits: use a smaller offset.` };
  const hint = hints[mode] + (folder === '' ? '' : ' Or search without folder.');
  if (suggestions === undefined || suggestions.found.length === 0) return { hint };
  return {
    hint: `${hint} ${suggested[suggestions.what]} are in suggestions.`,
    suggestions: firstOf(suggestions.found),
  };
}

/** What to try when a search in a mode found nothing. */
const hints: Readonly<Record<SearchMode, string>> = {
  content:
    'No note has all of these words. Try fewer or other words, or mode "name_partial" or "tag".',
  name: 'No note has exactly this name or alias. Try mode "name_partial" or "content".',
  name_partial: 'No name or alias contains this. Try a shorter part, or mode "content".',
  tag: 'No note has this tag. Try another one, or mode "content".',
};

const suggested: Readonly<Record<Suggestions['what'], string>> = {
  'closest names': 'Names that come closest',
  'closest tags': 'Tags that come closest',
  'common tags': 'The most used tags',
};
