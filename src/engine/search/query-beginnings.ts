import type { Query, TextQuery } from '../ports/search-query.ts';
import { foldPhrase } from '../text/fold-text.ts';
import { lightLanguages } from './stem-light.ts';
import { wordForms } from './word-forms.ts';

/**
 * Texts of which every file that matches a query has at least one, folded: the beginnings that a word
 * of the query shares with all its forms. Undefined when a file may match for another reason (its tags,
 * its path, a regular expression).
 */
export function queryBeginnings(query: Query): readonly string[] | undefined {
  switch (query.kind) {
    case 'text':
      return beginningsOf(query);
    case 'all': {
      const each = query.parts.map(queryBeginnings).filter((part) => part !== undefined);
      // The part whose shortest beginning is the longest is likely to be in the fewest files.
      return each.reduce<readonly string[] | undefined>(
        (best, part) => (best !== undefined && shortest(best) >= shortest(part) ? best : part),
        undefined,
      );
    }
    case 'any': {
      const each = query.parts.map(queryBeginnings);
      return each.every((part) => part !== undefined) ? each.flat() : undefined;
    }
    case 'case':
      return queryBeginnings(query.part);
    case 'in':
      return query.place === 'file' || query.place === 'path'
        ? undefined
        : queryBeginnings(query.part);
    default:
      return undefined;
  }
}

function beginningsOf({ text, quoted }: TextQuery): readonly string[] | undefined {
  const words = foldPhrase(text);
  const [word] = words;
  if (word === undefined) return undefined;
  if (quoted || words.length > 1) {
    return [words.reduce((a, b) => (b.length > a.length ? b : a), '')];
  }
  return wordForms(word, lightLanguages)?.beginnings ?? [word];
}

function shortest(beginnings: readonly string[]): number {
  return Math.min(...beginnings.map((each) => each.length));
}
