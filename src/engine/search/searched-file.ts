import { LineIndex, type TextRange } from '../../base/text-range.ts';
import { fileNameOf, stemOf, type VaultPath } from '../../base/vault-path.ts';
import type { NoteFacts, Tag } from '../../markdown/facts/facts.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { preambleOf, sectionsOf } from '../../markdown/scan/sections.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { QueryPlace } from '../ports/search-query.ts';
import { factsOf, searchedText } from '../text/scan-file.ts';
import { foldedWords } from './query-words.ts';
import { lineText } from './shown-line.ts';

/** A part of a note that a query may search in: a line, a block, a section or a task. */
type PiecePlace = Exclude<QueryPlace, 'file' | 'path' | 'content'>;

/** Every task matches this; notes that do not match are not parsed for tasks. */
const mayHaveTasks = /[-+*.)]\s+\[[^\n]{1,2}\]/;

/** A file whose text is searched. Whatever a query does not ask for is not computed. */
export class SearchedFile {
  readonly path: VaultPath;
  /** The text that is searched (`searchedText`). */
  readonly text: string;
  /**
   * The name in which words are searched for; empty for files without text, which are found by name
   * only.
   */
  readonly title: string;
  readonly #source: string;
  #facts: NoteFacts | undefined;
  #structure: NoteFacts | undefined;

  constructor(path: VaultPath, source: string) {
    const kind = fileKind(path);
    this.path = path;
    this.#source = source;
    this.text = searchedText(kind, source);
    this.title = kind === 'attachment' && source === '' ? '' : stemOf(path);
  }

  /** With the extension. */
  get name(): string {
    return fileNameOf(this.path);
  }

  /** Tags and properties, as the index has them. */
  get facts(): NoteFacts {
    this.#facts ??= factsOf(fileKind(this.path), this.#source);
    return this.#facts;
  }

  /** All tags, including those of the properties. */
  get tags(): readonly Tag[] {
    return [...this.facts.propertyTags, ...this.facts.tags];
  }

  get whole(): SearchedPiece {
    return this.pieceOf({ start: 0, end: this.text.length });
  }

  pieceOf(range: TextRange): SearchedPiece {
    return new SearchedPiece(this, range);
  }

  /**
   * The line of the file that contains a line of the text; for a canvas, the line with the card.
   */
  sourceLine(line: number, lines: LineIndex): number {
    if (fileKind(this.path) !== 'canvas') return line;
    const written = JSON.stringify(lineText(this.text, lines, line).trimEnd()).slice(1, -1);
    return new LineIndex(this.#source).lineAt(Math.max(0, this.#source.indexOf(written)));
  }

  /**
   * Returns the lines, blocks, sections or tasks that lie within a piece. A section does not
   * contain itself.
   */
  pieces(place: PiecePlace, { range: within, place: outer }: SearchedPiece): SearchedPiece[] {
    return this.#ranges(place, within)
      .filter(({ start, end }) => start >= within.start && end <= within.end)
      .filter(({ start }) => place !== 'section' || outer !== place || start !== within.start)
      .map((range) => new SearchedPiece(this, range, place));
  }

  #ranges(place: PiecePlace, within: TextRange): readonly TextRange[] {
    switch (place) {
      case 'line':
        return linesOf(this.text, within);
      case 'block':
        return this.#blocks();
      case 'section':
        return this.#sections();
      default:
        return this.#tasks(place);
    }
  }

  /** The app treats each item of a list as a block of its own. */
  #blocks(): readonly TextRange[] {
    const { blocks, listItems } = this.#shape();
    return [...blocks.filter(({ type }) => type !== 'list'), ...listItems].map(
      ({ range }) => range,
    );
  }

  #sections(): readonly TextRange[] {
    const facts = this.#shape();
    const ranges = sectionsOf(this.text, facts).map(({ range }) => range);
    const before = preambleOf(this.text, facts);
    return before.end > before.start ? [before, ...ranges] : ranges;
  }

  #tasks(place: 'task' | 'task-todo' | 'task-done'): readonly TextRange[] {
    if (!mayHaveTasks.test(this.text)) return [];
    return this.#shape()
      .listItems.filter(({ task }) => {
        if (task === undefined) return false;
        return place === 'task' || (task === ' ') === (place === 'task-todo');
      })
      .map(({ range }) => range);
  }

  /** The blocks, sections and lists of the text; the text of a canvas is parsed as a note. */
  #shape(): NoteFacts {
    if (this.text === this.#source) return this.facts;
    this.#structure ??= scanNote(this.text);
    return this.#structure;
  }
}

/** A part of a file's text. */
export class SearchedPiece {
  readonly file: SearchedFile;
  readonly range: TextRange;
  /** The kind of part; absent for the whole text. */
  readonly place: PiecePlace | undefined;
  #words: string | undefined;

  constructor(file: SearchedFile, range: TextRange, place?: PiecePlace) {
    this.file = file;
    this.range = range;
    this.place = place;
  }

  get text(): string {
    return this.file.text.slice(this.range.start, this.range.end);
  }

  /** See `foldedWords`. */
  get words(): string {
    this.#words ??= foldedWords(this.text);
    return this.#words;
  }
}

function linesOf(text: string, { start, end }: TextRange): TextRange[] {
  const lines: TextRange[] = [];
  for (let at = start; at <= end; ) {
    const next = text.indexOf('\n', at);
    const lineEnd = next === -1 || next > end ? end : next;
    const isReturn = lineEnd > at && text.charCodeAt(lineEnd - 1) === 13;
    lines.push({ start: at, end: isReturn ? lineEnd - 1 : lineEnd });
    at = lineEnd + 1;
  }
  return lines;
}
