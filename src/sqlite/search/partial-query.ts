import type { Query, TextQuery } from '../../engine/ports/search-query.ts';
import type { Groups } from './search-sets.ts';
import type { WordGroup } from './search-words.ts';
import { plainGroup } from './search-words.ts';

/** See `mayLackWords`. */
const wordsMin = 3;

/**
 * A weaker query: for files that have any of the words of the query, and everything else that it asks
 * for. Chinese, Japanese and Korean text is split into its parts. Words for which `isDistinctive` is
 * false, such as those that nearly every file has, are used only if there are no others. Undefined
 * when the query has fewer than two words, so that it cannot be made weaker.
 */
export function partialQuery(
  query: Query,
  options: { readonly groups: Groups; readonly isDistinctive: (group: WordGroup) => boolean },
): { readonly query: Query; readonly groups: Groups } | undefined {
  const parts = query.kind === 'all' ? query.parts : [query];
  const groups = new Map<TextQuery, WordGroup>();
  const words: Query[] = [];
  const others: Query[] = [];
  for (const part of parts) {
    const text = textIn(part);
    if (text === undefined) others.push(part);
    for (const one of text === undefined ? [] : pieces(text)) {
      const group = options.groups.get(one) ?? plainGroup(one.text);
      if (group === undefined) continue;
      groups.set(one, group);
      words.push(part.kind === 'in' ? { ...part, part: one } : one);
    }
  }
  if (words.length < 2) return undefined;
  const distinctive = words.filter((word) => {
    const group = groups.get(textIn(word) as TextQuery);
    return group !== undefined && options.isDistinctive(group);
  });
  const any: Query = { kind: 'any', parts: distinctive.length > 0 ? distinctive : words };
  return { query: { kind: 'all', parts: [any, ...others] }, groups };
}

/** Whether a query consists of unquoted words only, at least `wordsMin`: then files may lack some. */
export function mayLackWords(query: Query): boolean {
  if (query.kind !== 'all') return false;
  const texts = query.parts.filter((part) => part.kind === 'text' && !part.quoted) as TextQuery[];
  return texts.length === query.parts.length && texts.flatMap(pieces).length >= wordsMin;
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
