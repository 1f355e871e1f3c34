import { foldName } from '../../base/vault-path.ts';
import type { WordAlternatives } from '../ports/index-store.ts';
import type { Query, RegexQuery, TagQuery, TextQuery } from '../ports/search-query.ts';
import { foldLetters } from '../text/fold-text.ts';
import { propertyTest } from './match-property.ts';
import { matchesIn, queryRegex } from './query-regex.ts';
import { exactTest, foldedWords, isExact, rowTest, wordRow, writtenAt } from './query-words.ts';
import type { SearchedFile, SearchedPiece } from './searched-file.ts';

/**
 * Tests whether a file matches a query. A regular expression may use up the deadline of the caller
 * who wrote it, and nobody else's.
 */
type QueryTest = (file: SearchedFile) => boolean;

/**
 * Returns a test of a query on the texts of files. Words are found as the index finds them: folded,
 * whole, in a file's name or text, and with the alternatives that the index used. A quoted text of
 * several words must stand there as written, apart from case and accents.
 */
export function queryTest(query: Query, alternatives: readonly WordAlternatives[] = []): QueryTest {
  const test = pieceTest(query, { alternatives, sensitive: false, place: 'anywhere' });
  return (file) => test(file.whole);
}

/** What surrounds a part of a query and changes what it means. */
export interface PieceContext {
  readonly alternatives: readonly WordAlternatives[];
  /** Whether the text must match in case and accents too. */
  readonly sensitive: boolean;
  /**
   * Where words are searched for: in the name and the text, in the text alone, or in a name or
   * path.
   */
  readonly place: 'anywhere' | 'text' | 'file' | 'path';
}

type PieceTest = (piece: SearchedPiece) => boolean;

/** Returns a test of a part of a query on a part of a text (see `SearchedPiece`). */
export function pieceTest(query: Query, context: PieceContext): PieceTest {
  switch (query.kind) {
    case 'text':
      return textTest(query, context);
    case 'regex':
      return regexTest(query, context);
    case 'tag':
      return (piece) => tagsIn(query, piece).length > 0;
    case 'property': {
      const test = propertyTest(query);
      return ({ file }) => file.facts.frontmatter?.properties?.some(test) ?? false;
    }
    case 'all': {
      const tests = query.parts.map((part) => pieceTest(part, context));
      return (piece) => tests.every((test) => test(piece));
    }
    case 'any': {
      const tests = query.parts.map((part) => pieceTest(part, context));
      return (piece) => tests.some((test) => test(piece));
    }
    case 'not': {
      const test = pieceTest(query.part, context);
      return (piece) => !test(piece);
    }
    case 'case':
      return pieceTest(query.part, { ...context, sensitive: query.sensitive });
    case 'in':
      return placeTest(query, context);
  }
}

function placeTest(query: Query & { kind: 'in' }, context: PieceContext): PieceTest {
  const { place, part } = query;
  if (place === 'file' || place === 'path') return pieceTest(part, { ...context, place });
  const test = pieceTest(part, { ...context, place: 'text' });
  if (place === 'content') return test;
  return (piece) => piece.file.pieces(place, piece).some(test);
}

function textTest(query: TextQuery, context: PieceContext): PieceTest {
  const { place, sensitive } = context;
  if (query.text === '') return () => true;
  if (place === 'file' || place === 'path') {
    const fold = sensitive ? (name: string) => name : foldLetters;
    const wanted = fold(query.text);
    return ({ file }) => fold(place === 'file' ? file.name : file.path).includes(wanted);
  }
  if (sensitive) {
    const isIn = (text: string): boolean => writtenAt(text, query) !== -1;
    return (piece) => isIn(piece.text) || (place === 'anywhere' && isIn(piece.file.title));
  }
  if (isExact(query)) {
    const isIn = exactTest(query);
    return (piece) => isIn(piece.text) || (place === 'anywhere' && isIn(piece.file.title));
  }
  const holds = rowTest(wordRow(query, context.alternatives));
  return (piece) =>
    holds(piece.words) || (place === 'anywhere' && holds(foldedWords(piece.file.title)));
}

function regexTest(query: RegexQuery, { place, sensitive }: PieceContext): PieceTest {
  const regex = queryRegex(query.source, { sensitive });
  const isIn = (text: string): boolean => matchesIn(regex, text);
  if (query.of === 'tag') return ({ file }) => file.tags.some(({ tag }) => isIn(tag.slice(1)));
  if (place === 'file') return ({ file }) => isIn(file.name);
  if (place === 'path') return ({ file }) => isIn(file.path);
  // An expression that matches the empty text must not find attachments, whose title is empty.
  return (piece) =>
    piece.file.title !== '' &&
    (isIn(piece.text) || (place === 'anywhere' && isIn(piece.file.title)));
}

/** Returns the tags in a piece that a query means: the tag itself and those nested under it. */
export function tagsIn({ tag }: TagQuery, { file, range }: SearchedPiece) {
  const wanted = `${foldName(tag)}/`;
  return file.tags.filter(
    (each) =>
      `${foldName(each.tag.slice(1))}/`.startsWith(wanted) &&
      each.range.start >= range.start &&
      each.range.end <= range.end,
  );
}
