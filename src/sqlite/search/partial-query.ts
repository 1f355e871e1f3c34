import type { Query, TextQuery } from '../../engine/ports/search-query.ts';
import type { Groups } from './search-sets.ts';
import type { WordGroup } from './search-words.ts';
import { plainGroup } from './search-words.ts';

/** See `mayLackWords`. */
const wordsMin = 3;
/**
 * The rarest words of a query find its files, until the files of these words add up to this number.
 * More frequent words say little about a file, and cost the most.
 */
const foundMax = 20_000;

/** A query for files that have any of its words. */
interface PartialQuery {
  readonly query: Query;
  readonly groups: Groups;
}

/**
 * A weaker query: for files that have any of the words of the query, and everything else that it asks
 * for. Chinese, Japanese and Korean text is split into its parts. Words that more than half of all
 * files have are used only if there are no others; of the rest, the rarest (`foundMax`). Undefined
 * when the query has fewer than two words, so that it cannot be made weaker.
 */
export function partialQuery(
  query: Query,
  options: {
    readonly groups: Groups;
    /** How many files have a group of words. */
    readonly docs: (group: WordGroup) => number;
    /** How many files there are. */
    readonly files: number;
  },
): PartialQuery | undefined {
  const parts = query.kind === 'all' ? query.parts : [query];
  const groups = new Map<TextQuery, WordGroup>();
  const words: { readonly part: Query; readonly docs: number }[] = [];
  const others: Query[] = [];
  let count = 0;
  for (const part of parts) {
    const text = textIn(part);
    if (text === undefined) others.push(part);
    for (const one of text === undefined ? [] : pieces(text)) {
      const group = options.groups.get(one) ?? plainGroup(one.text);
      if (group === undefined) continue;
      count++;
      const docs = options.docs(group);
      if (docs === 0) continue;
      groups.set(one, group);
      words.push({ part: part.kind === 'in' ? { ...part, part: one } : one, docs });
    }
  }
  if (count < 2 || words.length === 0) return undefined;
  const distinctive = words.filter(({ docs }) => docs <= options.files / 2);
  const any: Query = {
    kind: 'any',
    parts: rarest(distinctive.length > 0 ? distinctive : words).map(({ part }) => part),
  };
  return { query: others.length === 0 ? any : { kind: 'all', parts: [any, ...others] }, groups };
}

/** The rarest words, at least one, and no more than together are in `foundMax` files. */
function rarest<Word extends { readonly docs: number }>(words: readonly Word[]): readonly Word[] {
  const sorted = words.toSorted((a, b) => a.docs - b.docs);
  let found = 0;
  return sorted.filter(({ docs }, at) => {
    found += docs;
    return at === 0 || found <= foundMax;
  });
}

/**
 * Whether a query consists of unquoted words only, at least `wordsMin`. Then it is a description, and
 * files may lack some of the words.
 */
export function mayLackWords(query: Query): boolean {
  if (query.kind !== 'all' || query.parts.length < wordsMin) return false;
  return query.parts.every((part) => part.kind === 'text' && !part.quoted);
}

/** The text of a part that asks for a text, anywhere or in the content; undefined for other parts. */
function textIn(query: Query): TextQuery | undefined {
  if (query.kind === 'text') return query;
  const isContent = query.kind === 'in' && query.place === 'content';
  return isContent && query.part.kind === 'text' ? query.part : undefined;
}

/** The words of a text that is not quoted, each as a query of its own. */
function pieces(text: TextQuery): readonly TextQuery[] {
  const words = text.quoted ? [] : (plainGroup(text.text)?.words ?? []);
  if (words.length < 2) return [text];
  return Array.from(new Set(words), (word) => ({ kind: 'text', text: word, quoted: false }));
}
