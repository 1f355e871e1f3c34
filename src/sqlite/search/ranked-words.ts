import type { Query } from '../../engine/ports/search-query.ts';
import type { Groups } from './search-sets.ts';
import type { WordGroup } from './search-words.ts';
import { matchOfGroup, plainGroup } from './search-words.ts';

/** The words of one part of a query, by which files are ranked. */
export interface RankedWords {
  readonly group: WordGroup;
  /** FTS5's filter of columns, such as `{body} : `; empty for all columns. */
  readonly columns: string;
}

/** The words of a query by which files are scored, and the FTS5 expression for them. */
export interface Ranking {
  readonly words: readonly RankedWords[];
  readonly match: string;
  /** Whether a file must have each of the words. */
  readonly needsAll: boolean;
}

/**
 * The words of a query that can score files, and their FTS5 expression; undefined if there are none.
 */
export function rankingOf(
  query: Query,
  context: { readonly groups: Groups; readonly columns: string },
): Ranking | undefined {
  switch (query.kind) {
    case 'text': {
      const group = context.groups.get(query) ?? plainGroup(query.text);
      if (group === undefined) return undefined;
      const { columns } = context;
      return { words: [{ group, columns }], match: matchOf({ group, columns }), needsAll: true };
    }
    case 'all':
    case 'any': {
      const parts = query.parts.flatMap((part) => rankingOf(part, context) ?? []);
      if (parts.length === 0) return undefined;
      const matches = parts.map(({ match }) => match);
      return {
        words: parts.flatMap(({ words }) => words),
        match: `(${matches.join(query.kind === 'all' ? ' AND ' : ' OR ')})`,
        needsAll: query.kind === 'all' && parts.every(({ needsAll }) => needsAll),
      };
    }
    case 'case':
      return rankingOf(query.part, context);
    case 'in':
      if (query.place === 'file' || query.place === 'path') return undefined;
      return rankingOf(query.part, { ...context, columns: '{body} : ' });
    default:
      return undefined;
  }
}

/** The FTS5 expression for a part of a query. */
export function matchOf({ group, columns }: RankedWords): string {
  const match = matchOfGroup(group);
  return columns ? `(${columns}${match})` : match;
}
