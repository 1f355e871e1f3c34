import type { WordAlternatives } from '../ports/index-store.ts';
import type { PropertyQuery, Query, TextQuery } from '../ports/search-query.ts';
import type { MatchRange } from '../ports/text-matcher.ts';
import { foldLetters } from '../text/fold-text.ts';
import { queryRegex } from './query-regex.ts';
import { isUnspaced, wordRow, writtenAt, writtenParts } from './query-words.ts';

/** How many pieces of one line are marked. */
const rangesMax = 100;
const wordClass = '[\\p{L}\\p{N}\\p{M}\\p{Co}]';
const between = '[^\\p{L}\\p{N}\\p{M}\\p{Co}]+';

/**
 * Returns a function that finds which pieces of a shown line match something of a query: words with
 * the forms and corrections that were searched for too, phrases, tags, expressions. The ranges are in
 * order and do not overlap. Nothing is marked for what the query excludes, or asks of names and paths.
 */
export function matchRanges(
  query: Query,
  alternatives: readonly WordAlternatives[],
): (line: string) => readonly MatchRange[] {
  const finders = findersOf(query, { alternatives, sensitive: false });
  return (line) => {
    const found: MatchRange[] = [];
    const folded = finders.some((find) => find.folded) ? foldLine(line) : undefined;
    for (const find of finders) {
      if (found.length >= rangesMax) break;
      const as = find.folded ? folded : undefined;
      for (const [start, end] of find.in(as?.text ?? line)) {
        if (end <= start) continue; // An expression can match nothing at all.
        found.push(as === undefined ? [start, end] : [as.placeOf(start), as.placeOf(end)]);
        if (found.length >= rangesMax) break;
      }
    }
    return merged(found);
  };
}

/** Finds pieces of a line: as it is written, or folded. */
interface Finder {
  readonly folded: boolean;
  readonly in: (line: string) => Iterable<MatchRange>;
}

interface FindContext {
  readonly alternatives: readonly WordAlternatives[];
  readonly sensitive: boolean;
}

function findersOf(query: Query, context: FindContext): readonly Finder[] {
  switch (query.kind) {
    case 'text':
      return textFinders(query, context);
    case 'regex':
      return [{ folded: false, in: matchesOf(queryRegex(query.source, context)) }];
    case 'tag':
      return [{ folded: true, in: matchesOf(tagPattern(query.tag)) }];
    case 'property':
      return propertyFinders(query, context);
    case 'all':
    case 'any':
      return query.parts.flatMap((part) => findersOf(part, context));
    case 'case':
      return findersOf(query.part, { ...context, sensitive: query.sensitive });
    case 'in':
      return query.place === 'file' || query.place === 'path' ? [] : findersOf(query.part, context);
    case 'not':
      return [];
  }
}

function propertyFinders({ key, value }: PropertyQuery, context: FindContext): readonly Finder[] {
  return [key, ...writtenParts(value)].flatMap((part) => findersOf(part, context));
}

function textFinders(query: TextQuery, { alternatives, sensitive }: FindContext): Finder[] {
  if (query.text === '') return [];
  if (sensitive) return [{ folded: false, in: (line) => writtenRanges(line, query) }];
  const { words, prefix } = wordRow(query, alternatives);
  if (words.length === 0) return [];
  const single = words.map((same, at) => {
    const isLast = at === words.length - 1;
    return wordPattern(same, prefix && isLast);
  });
  const each = (line: string) => single.flatMap((pattern) => Array.from(matchesOf(pattern)(line)));
  if (words.length === 1) return [{ folded: true, in: each }];
  const row = rowPattern(words, prefix);
  return [
    {
      folded: true,
      in: (line) => {
        const whole = Array.from(matchesOf(row)(line));
        return whole.length > 0 ? whole : each(line);
      },
    },
  ];
}

function* writtenRanges(line: string, query: TextQuery): Iterable<MatchRange> {
  for (let at = writtenAt(line, query); at !== -1; at = writtenAt(line, query, at + 1)) {
    yield [at, at + query.text.length];
  }
}

/** A pattern for a word or the others that count as the same; words have letters and digits only. */
function wordPattern(same: readonly string[], mayGoOn: boolean): RegExp {
  const unspaced = same.filter(isUnspaced);
  const spaced = same.filter((word) => !isUnspaced(word));
  const rest = mayGoOn ? `${wordClass}*` : `(?!${wordClass})`;
  const parts = [
    ...unspaced,
    ...(spaced.length === 0 ? [] : [`(?<!${wordClass})(?:${spaced.join('|')})${rest}`]),
  ];
  return new RegExp(parts.join('|'), 'gu');
}

function rowPattern(words: readonly (readonly string[])[], mayGoOn: boolean): RegExp {
  const rest = mayGoOn ? `${wordClass}*` : `(?!${wordClass})`;
  const row = words.map((same) => `(?:${same.join('|')})`).join(between);
  return new RegExp(`(?<!${wordClass})${row}${rest}`, 'gu');
}

/** A tag in the text, or without its sign in the properties; with the tags nested under it. */
function tagPattern(tag: string): RegExp {
  const name = foldLetters(tag).replace(/[^\p{L}\p{N}]/gu, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_/])#?${name}(?:/[^\\s#,\\]"']*)?(?![\\p{L}\\p{N}_-])`, 'gu');
}

function matchesOf(pattern: RegExp): (line: string) => Iterable<MatchRange> {
  return function* (line) {
    let count = 0;
    for (const match of line.matchAll(pattern)) {
      if (count++ === rangesMax) return;
      yield [match.index, match.index + match[0].length];
    }
  };
}

/** A line folded character by character, so that the place of each folded character is known. */
interface FoldedLine {
  readonly text: string;
  readonly placeOf: (at: number) => number;
}

function foldLine(line: string): FoldedLine {
  let text = '';
  const places: number[] = [];
  for (const { 0: character, index } of line.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const folded = foldLetters(character);
    for (let i = 0; i < folded.length; i++) places.push(index);
    text += folded;
  }
  return { text, placeOf: (at) => places[at] ?? line.length };
}

/** The ranges in order, with those that overlap or touch joined. */
function merged(ranges: readonly MatchRange[]): readonly MatchRange[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
