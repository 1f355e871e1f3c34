import { limits } from '../../base/limits.ts';
import type { LineIndex } from '../../base/text-range.ts';
import { bodyStart } from '../../markdown/properties/frontmatter-block.ts';
import type { WordAlternatives } from '../ports/index-store.ts';
import type { Query, TextQuery } from '../ports/search-query.ts';
import type { HitBounds } from '../ports/text-matcher.ts';
import { propertyTest } from './match-property.ts';
import { type PieceContext, pieceTest, tagsIn } from './match-query.ts';
import { queryRegex } from './query-regex.ts';
import {
  exactTest,
  foldedWords,
  isExact,
  rowTest,
  type WordRow,
  wordRow,
  writtenAt,
  writtenParts,
} from './query-words.ts';
import type { SearchedFile, SearchedPiece } from './searched-file.ts';
import { lineText, placeOfWord, shownAround } from './shown-line.ts';
import { type LineMark, WordLines } from './word-lines.ts';

/** A line that shows why a file matches a query. */
export interface MatchingLine {
  /** Counted from 0. */
  readonly line: number;
  /** The line without its indentation; a long line is cut around the match. */
  readonly text: string;
}

/** A line of the properties counts this much of a line of the body. */
const inProperties = 0.6;

/** How many matches of one expression are looked for in one note. */
const matchesMax = 1_000;

/**
 * Returns the lines of a file that show best why it matches a query, in the order of the text:
 * lines with most of the query first, whole phrases before single words, exact words before their
 * forms, the body before the properties. `total` counts all lines that have something of the query,
 * as far as they were looked for (`isAll`). Searches only the first `limits.snippetCharsMax`
 * characters, so that one note does not delay the others, and further only until it finds a line.
 */
export function matchingLines(
  file: SearchedFile,
  query: Query,
  options: { readonly alternatives: readonly WordAlternatives[]; readonly show: HitBounds },
): {
  readonly lines: MatchingLine[];
  readonly total: number;
  readonly isAll: boolean;
  /** The lines of the text that was searched. */
  readonly table: LineIndex;
} {
  const { alternatives, show } = options;
  const { length } = file.text;
  for (let end = Math.min(length, limits.snippetCharsMax); ; end = Math.min(length, end * 4)) {
    const marker = new LineMarker(file, end);
    const piece = file.pieceOf({ start: 0, end });
    marker.mark(query, piece, { alternatives, sensitive: false, place: 'anywhere' });
    if (marker.count === 0 && end < length) continue;
    const isAll = end === length && !marker.gaveUp;
    return { lines: marker.best(show), total: marker.count, isAll, table: marker.table };
  }
}

/** Says whether a file without such lines was found by its name or its path. */
export function matchedName(
  file: SearchedFile,
  query: Query,
  alternatives: readonly WordAlternatives[],
): 'name' | 'path' | undefined {
  switch (query.kind) {
    case 'text': {
      const { words } = wordRow(query, alternatives);
      const title = foldedWords(file.title);
      const isNamed = words.some((same) => rowTest({ words: [same], prefix: true })(title));
      return isNamed ? 'name' : undefined;
    }
    case 'all':
    case 'any': {
      const found = query.parts.map((part) => matchedName(file, part, alternatives));
      return found.find((by) => by === 'name') ?? found.find((by) => by !== undefined);
    }
    case 'in':
      if (query.place === 'file') return 'name';
      return query.place === 'path' ? 'path' : undefined;
    case 'case':
      return matchedName(file, query.part, alternatives);
    default:
      return undefined;
  }
}

/** A line with the sum of its scores: the more it shows of the query, the higher. */
interface MarkedLine {
  score: number;
  /** The parts of the query that it has. */
  readonly parts: Query[];
  /** Returns the column of the first match; only called for lines that are shown. */
  readonly place: () => number;
}

/** Goes through a query and gives each line of a file a score for what it contains of it. */
class LineMarker {
  readonly #file: SearchedFile;
  readonly #end: number;
  readonly #words: WordLines;
  readonly #marked = new Map<number, MarkedLine>();
  /** The part of the query that is being marked. */
  #part: Query | undefined;
  /** The blank characters that `#toText` last went over, and the place that it answered. */
  #blank = { start: 0, end: 0, text: 0 };
  /** Whether an expression had more matches than are looked for. */
  gaveUp = false;

  /** Looks at the text before `end`. */
  constructor(file: SearchedFile, end: number) {
    this.#file = file;
    this.#end = end;
    this.#words = new WordLines(file.text.slice(0, end));
  }

  /** How many lines have something of the query. */
  get count(): number {
    return this.#marked.size;
  }

  get table(): LineIndex {
    return this.#words.lines;
  }

  /** Marks the lines of a piece that contain something of a query. */
  mark(query: Query, piece: SearchedPiece, context: PieceContext): void {
    if (context.place === 'file' || context.place === 'path') return;
    this.#part = query;
    switch (query.kind) {
      case 'text':
        if (context.sensitive) this.#markWritten(query, piece);
        else if (isExact(query)) this.#markExact(query, piece);
        else this.#markWords(wordRow(query, context.alternatives), piece);
        return;
      case 'regex':
        if (query.of !== 'tag') this.#markMatches(queryRegex(query.source, context), piece);
        return;
      case 'tag':
        for (const { range } of tagsIn(query, piece)) this.#markAt(range.start, 1);
        return;
      case 'property': {
        const found = this.#file.facts.frontmatter?.properties?.filter(propertyTest(query));
        for (const { range, valueRange } of found ?? []) {
          const before = this.#marked.size;
          const value = this.#file.pieceOf(valueRange);
          for (const part of writtenParts(query.value)) this.mark(part, value, context);
          // The value was only compared, or is written in another way: the name shows the property.
          if (this.#marked.size === before) this.#markAt(range.start, 1);
        }
        return;
      }
      case 'all':
        this.#markInRow(query.parts, piece, context);
        for (const part of query.parts) this.mark(part, piece, context);
        return;
      case 'any':
        for (const part of query.parts) this.mark(part, piece, context);
        return;
      case 'not':
        return;
      case 'case':
        this.mark(query.part, piece, { ...context, sensitive: query.sensitive });
        return;
      case 'in':
        this.#markPlace(query, piece, context);
    }
  }

  /** The best lines, in the order of the text: each part of the query is seen before one is seen twice. */
  best(show: HitBounds): MatchingLine[] {
    const body = this.#words.lines.lineAt(bodyStart(this.#file.text));
    const weight = ([line, { score }]: [number, MarkedLine]): number =>
      line < body ? score * inProperties : score;
    const ranked = Array.from(this.#marked).sort((a, b) => weight(b) - weight(a) || a[0] - b[0]);
    const seen = new Set<Query>();
    const [first, later]: [typeof ranked, typeof ranked] = [[], []];
    for (const each of ranked) {
      const { parts } = each[1];
      (parts.every((part) => seen.has(part)) ? later : first).push(each);
      for (const part of parts) seen.add(part);
    }
    return [...first, ...later]
      .slice(0, show.lines)
      .sort(([a], [b]) => a - b)
      .map(([line, { place }]) => ({
        line: this.#file.sourceLine(line, this.#words.lines),
        text: shownAround(lineText(this.#file.text, this.#words.lines, line), place, show.chars),
      }));
  }

  #markPlace(query: Query & { kind: 'in' }, piece: SearchedPiece, context: PieceContext): void {
    const { place, part } = query;
    if (place === 'file' || place === 'path') return;
    const inside: PieceContext = { ...context, place: 'text' };
    if (place === 'content') {
      this.mark(part, piece, inside);
      return;
    }
    for (const each of this.#file.pieces(place, piece).filter(pieceTest(part, inside))) {
      const before = this.#marked.size;
      this.mark(part, each, inside);
      // The query asked for the piece itself and not for its text, as in `task:""`.
      if (this.#marked.size === before) this.#markAt(each.range.start, 1);
    }
  }

  /** Words that stand in the text in the order of the query score higher than each by itself. */
  #markInRow(parts: readonly Query[], piece: SearchedPiece, context: PieceContext): void {
    const texts = parts.filter((part): part is TextQuery => part.kind === 'text');
    if (texts.length < 2 || context.sensitive) return;
    const rows = texts.map((text) => wordRow(text, context.alternatives));
    const words = rows.flatMap((row) => row.words);
    const row: WordRow = { words, prefix: rows.at(-1)?.prefix ?? false };
    const marks = this.#words.marks(row, piece.range);
    for (const [line, mark] of marks) {
      if (mark.score > 1) this.#add(line, { ...mark, score: 1 }, row);
    }
  }

  #markWords(row: WordRow, { range }: SearchedPiece): void {
    for (const [line, mark] of this.#words.marks(row, range)) this.#add(line, mark, row);
  }

  /** For a quoted text of several words. If it goes over line ends, lines with its words show it. */
  #markExact(query: TextQuery, { range }: SearchedPiece): void {
    const row = wordRow(query, []);
    const isIn = exactTest(query);
    const { lines } = this.#words;
    const marks = Array.from(this.#words.marks(row, range));
    const exact = marks.filter(([line]) => isIn(lineText(this.#file.text, lines, line)));
    for (const [line, mark] of exact.length > 0 ? exact : marks) this.#add(line, mark, row);
  }

  /** For text that must stand exactly as written (`match-case`). */
  #markWritten(query: TextQuery, { range }: SearchedPiece): void {
    if (query.text === '') return;
    const text = this.#file.text.slice(0, range.end);
    let count = 0;
    for (let at = writtenAt(text, query, range.start); at !== -1 && count < matchesMax; count++) {
      this.#markAt(at, 1);
      at = writtenAt(text, query, at + 1);
    }
    if (count === matchesMax) this.gaveUp = true;
  }

  #markMatches(regex: RegExp, { text, range }: SearchedPiece): void {
    let count = 0;
    for (const match of text.matchAll(regex)) {
      if (count++ === matchesMax) {
        this.gaveUp = true;
        return;
      }
      this.#markAt(range.start + match.index, 1);
    }
  }

  /** Marks the line with the first character of a match that is not blank. */
  #markAt(match: number, score: number): void {
    if (match > this.#end) return;
    const at = this.#toText(match);
    this.#add(this.#words.lines.lineAt(at), { score, at });
  }

  /**
   * The next place at or after this one that is not blank, or else the last one before it: a match
   * may begin with the end of a line, and an empty line shows nothing.
   */
  #toText(from: number): number {
    const { text } = this.#file;
    if (from >= this.#blank.start && from < this.#blank.end) return this.#blank.text;
    let end = from;
    while (end < this.#end && isBlank(text, end)) end++;
    let at = end;
    if (at === text.length || isBlank(text, at)) {
      at = from;
      while (at > 0 && (at === text.length || isBlank(text, at))) at--;
    }
    this.#blank = { start: from, end, text: at };
    return at;
  }

  /** Adds a score to a line. Where `at` is not known, `row` has the words to find the place by. */
  #add(line: number, { score, at }: LineMark, row?: WordRow): void {
    const known = this.#marked.get(line);
    const part = this.#part === undefined ? [] : [this.#part];
    if (known !== undefined) {
      known.score += score;
      if (known.parts.at(-1) !== part[0]) known.parts.push(...part);
      return;
    }
    const { lines } = this.#words;
    const place = (): number =>
      at === undefined
        ? placeOfWord(lineText(this.#file.text, lines, line), row?.words.flat() ?? [])
        : at - lines.startOf(line);
    this.#marked.set(line, { score, parts: part, place });
  }
}

/** Whether the character at this place is blank; at the end of the text it is not. */
function isBlank(text: string, at: number): boolean {
  return at < text.length && text.charAt(at).trim() === '';
}
