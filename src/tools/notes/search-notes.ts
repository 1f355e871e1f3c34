import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { searchNames, searchTagged } from '../../engine/operations/search/search-names.ts';
import type { SearchAnswer } from '../../engine/operations/search/search-notes.ts';
import { searchNotes } from '../../engine/operations/search/search-notes.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { choice, count, countOr, filled, optionalText } from '../define/note-input.ts';
import { fitItems } from '../wording/fit-answer.ts';
import { nextOffset } from '../wording/next-offset.ts';
import { searchRemarks } from '../wording/search-remarks.ts';
import { nothingFound } from './nothing-found.ts';

const modes = ['content', 'name', 'name_partial', 'tag'] as const;
export type SearchMode = (typeof modes)[number];

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
    mode: choice(modes, 'Where to look'),
    limit: countOr(20, 'At most this many', { min: 1, max: limits.searchResultsMax }),
    offset: count('Skip this many'),
    folder: optionalText('Only in this folder'),
  }),
  output: z.object({
    query: z.string(),
    mode: z.enum(modes),
    total: z.number(),
    hits: z
      .array(
        z.object({
          path: z.string(),
          title: z.string(),
          /** Those that were found. */
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
    const found = await searches[mode](vault, { query, folder, limit, offset });
    const { total } = found;
    const about = { query, mode, total };
    const hits = fitItems(found.hits.map(hitOf), about);
    return {
      ...about,
      hits,
      ...nextOffset({ total, offset, shown: hits.length }),
      ...searchRemarks(found),
      // That nothing has it cannot be said before all was looked through.
      ...(hits.length === 0 && (total > 0 || found.incomplete === undefined)
        ? await nothingFound(vault, { ...about, folder })
        : {}),
    };
  },
});

interface Search {
  readonly query: string;
  readonly folder: ReturnType<typeof vaultFolder>;
  readonly limit: number;
  readonly offset: number;
}

interface Hit {
  readonly path: string;
  readonly title: string;
  readonly aliases?: readonly string[];
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly heading?: string;
  }[];
  readonly matched?: 'name' | 'path';
}

type Found = Pick<SearchAnswer, 'total' | 'incomplete' | 'corrected' | 'partial' | 'whole'> & {
  readonly hits: readonly Hit[];
};

const searches: Readonly<
  Record<SearchMode, (vault: BoundVault, search: Search) => Promise<Found>>
> = {
  content: searchNotes,
  name: (vault, search) => searchNames(vault, { ...search, match: 'exact' }),
  name_partial: (vault, search) => searchNames(vault, { ...search, match: 'partial' }),
  tag: (vault, { query, ...page }) => searchTagged(vault, { ...page, tag: query }),
};

function hitOf({ path, title, aliases = [], lines, matched }: Hit) {
  return {
    path,
    title,
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(lines.length === 0 ? {} : { lines }),
    ...(matched === undefined ? {} : { matched }),
  };
}
