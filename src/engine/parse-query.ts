import { foldPhrase, isLoneCjk } from './fold-text.ts';
import type { TextTerm } from './index-store.ts';
import type { Query } from './search-query.ts';

/**
 * A query as terms: words, `"phrases"`, and either with `-` in front to exclude it. Anything is
 * a valid query; signs that are no part of a word are ignored, as the index ignores them.
 */
export function parseQuery(query: string): TextTerm[] {
  const terms: TextTerm[] = [];
  for (const match of query.matchAll(/(-)?(?:"((?:[^"\\]|\\.)*)"?|([^\s"]+))/g)) {
    const negated = match[1] !== undefined;
    const quoted = match[2]?.replace(/\\(.)/g, '$1');
    const words = foldPhrase(quoted ?? match[3] ?? '');
    if (words.length > 0) terms.push({ words, prefix: isLoneCjk(words.at(-1) ?? ''), negated });
  }
  return terms;
}

/** Terms as a tree. */
export function queryOf(terms: readonly TextTerm[]): Query {
  const parts = terms.map(({ words, negated }): Query => {
    const part: Query = { kind: 'text', text: words.join(' '), quoted: words.length > 1 };
    return negated ? { kind: 'not', part } : part;
  });
  return { kind: 'all', parts };
}
