import type { Query, TextQuery } from '../../engine/ports/search-query.ts';
import type { Groups } from './search-sets.ts';
import type { WordGroup } from './search-words.ts';
import { plainGroup } from './search-words.ts';

const wordsMin = 3;

/**
 * A query for files that have some of the words of another, and all that it asks for beside words.
 * Runs of Chinese, Japanese and Korean are taken apart; words that tell nothing, as nearly every file
 * has them, count only where there are no others.
 * Undefined when that leaves no less than the query asks for.
 */
export function partialQuery(
  query: Query,
  options: { readonly groups: Groups; readonly isTelling: (group: WordGroup) => boolean },
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
  const telling = words.filter((word) => {
    const group = groups.get(textIn(word) as TextQuery);
    return group !== undefined && options.isTelling(group);
  });
  const any: Query = { kind: 'any', parts: telling.length > 0 ? telling : words };
  return { query: { kind: 'all', parts: [any, ...others] }, groups };
}

/** Whether a query is only words, and so many that whoever wrote it may not mean each of them. */
export function mayLackWords(query: Query): boolean {
  if (query.kind !== 'all') return false;
  const texts = query.parts.filter((part) => part.kind === 'text' && !part.quoted) as TextQuery[];
  return texts.length === query.parts.length && texts.flatMap(pieces).length >= wordsMin;
}

/** The text that a part of a query is, or that is to stand in the content. */
function textIn(query: Query): TextQuery | undefined {
  if (query.kind === 'text') return query;
  const isContent = query.kind === 'in' && query.place === 'content';
  return isContent && query.part.kind === 'text' ? query.part : undefined;
}

/** A text that was not quoted, word by word. */
function pieces(text: TextQuery): readonly TextQuery[] {
  const words = text.quoted ? [] : (plainGroup(text.text)?.words ?? []);
  if (words.length < 2) return [text];
  return Array.from(new Set(words), (word) => ({ kind: 'text', text: word, quoted: false }));
}
