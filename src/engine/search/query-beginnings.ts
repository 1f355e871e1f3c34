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
      const each = query.parts
        .map((part, at) => withJoined(queryBeginnings(part), query.parts[at - 1], part))
        .filter((part) => part !== undefined);
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
    const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
    return quoted ? [longest] : [longest, words.join('')];
  }
  return wordForms(word, lightLanguages)?.beginnings ?? [word];
}

/** Adds two neighbouring words written as one: such a file may lack the second word. */
function withJoined(
  beginnings: readonly string[] | undefined,
  before: Query | undefined,
  part: Query,
): readonly string[] | undefined {
  if (beginnings === undefined || before?.kind !== 'text' || part.kind !== 'text')
    return beginnings;
  const words = [before, part].flatMap(({ text, quoted }) => (quoted ? [] : foldPhrase(text)));
  return words.length === 2 ? [...beginnings, words.join('')] : beginnings;
}

function shortest(beginnings: readonly string[]): number {
  return Math.min(...beginnings.map((each) => each.length));
}
