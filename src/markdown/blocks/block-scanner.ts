import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import { type FactSink, reportTooDeep } from '../facts/fact-sink.ts';
import type { BlockType } from '../facts/facts.ts';
import { definitionLink } from '../facts/link-text.ts';
import type { InlineScanner } from '../inline/inline-scanner.ts';
import { inlineTextOf } from '../inline/inline-text.ts';
import { Code } from '../text/characters.ts';
import { endOf, fromOf, indentEnd, isEmptyLine, type LineTable } from '../text/line-table.ts';
import { literal, Places } from '../text/places.ts';
import { BlockFrame, type FoundBlock } from './block-frame.ts';
import { blockIdIn, takesIdBelow } from './block-ids.ts';
import {
  fenceOf,
  headingLevel,
  interruptsList,
  interruptsParagraph,
  isIndented,
  isThematicBreak,
  opensList,
  paragraphEnd,
  underlinedLevel,
} from './block-starts.ts';
import { type MarkedBlock, readCommentBlock, readMathBlock } from './comment-math-block.ts';
import { footnoteEnd, footnoteOf, stripFootnote } from './footnote-block.ts';
import { htmlBlockEnd } from './html-block.ts';
import { fencedEnd, headingContent, indentedEnd, underlinedContent } from './leaf-blocks.ts';
import { type Definition, DefinitionSearches, readDefinition } from './link-definition.ts';
import { type ItemLines, listItem, readList, stripItem, taskAt } from './list-scanner.ts';
import { calloutOf, stripQuote } from './quote-block.ts';
import { eachCell, tableEnd } from './table-scanner.ts';

/**
 * Finds the blocks of a note as remark-parse 8, Obsidian's parser, does, and has their text
 * scanned, in the order of the text. A container (quote, list item, footnote) is scanned in two
 * steps: its markers are taken off its lines (see `LineTable.from`), then the lines are scanned
 * like a note. Methods that are named for a block scan the one that begins on `line`, and return
 * the line after.
 */
export class BlockScanner {
  readonly #lines: LineTable;
  readonly #sink: FactSink;
  readonly #inline: Pick<InlineScanner, 'scan'>;
  readonly #commentOpens: Places;
  readonly #commentCloses: Places;

  constructor(lines: LineTable, sink: FactSink, inline: Pick<InlineScanner, 'scan'>) {
    this.#lines = lines;
    this.#sink = sink;
    this.#inline = inline;
    const whole = { text: lines.text, start: 0, end: lines.text.length };
    this.#commentOpens = new Places(whole, literal('<!--'));
    this.#commentCloses = new Places(whole, literal('-->'));
  }

  /** Scans the note from a line on. */
  scanFrom(line: number): void {
    this.#scan(line, new BlockFrame(this.#lines.ends.length, 0, -1));
  }

  /** Scans the lines of a container, from its first line on. */
  #scan(first: number, frame: BlockFrame): BlockFrame {
    const lines = this.#lines;
    let line = first;
    while (line < frame.last) {
      if (isEmptyLine(lines, line)) line++;
      else line = this.#block(line, frame);
    }
    return frame;
  }

  /** Scans the lines of a container inside another. What nests too deep is read as plain text. */
  #scanInside(first: number, inside: BlockFrame): BlockFrame {
    if (inside.depth <= limits.nestingMax) return this.#scan(first, inside);
    const last = inside.last - 1;
    const start = fromOf(this.#lines, first);
    const end = endOf(this.#lines, last);
    reportTooDeep(this.#sink, { start, end });
    this.#text({ first, last, start, end });
    return inside;
  }

  /** Scans the block that begins on a line, and returns the line after it. */
  #block(line: number, frame: BlockFrame): number {
    const lines = this.#lines;
    const { last } = frame;
    if (isIndented(lines, line)) return this.#indentedCode(line, frame);
    const code = lines.text.charCodeAt(indentEnd(lines, line));
    switch (code) {
      case Code.backtick:
      case Code.tilde: {
        const fence = fenceOf(lines, line);
        if (fence !== undefined) {
          return this.#code(line, fencedEnd(lines, line, last, fence), frame);
        }
        break;
      }
      case Code.dollar: {
        const math = readMathBlock(lines, line, last);
        if (math !== undefined) return this.#marked(line, math, 'math', frame);
        break;
      }
      case Code.percent: {
        const comment = readCommentBlock(lines, line, last);
        if (comment !== undefined) return this.#comment(line, comment, frame);
        break;
      }
      case Code.greater:
        return this.#quote(line, frame);
      case Code.hash: {
        const level = headingLevel(lines, line);
        if (level === 0) break;
        this.#heading(line, level, headingContent(lines, line, level), frame);
        return this.#leaf('heading', line, line + 1, frame);
      }
      default:
    }
    if (isThematicBreak(lines, line)) return this.#leaf('thematicBreak', line, line + 1, frame);
    if (opensList(lines, line, { interrupting: false })) return this.#list(line, frame);
    const level = underlinedLevel(lines, line, last);
    if (level > 0) {
      this.#heading(line, level, underlinedContent(lines, line), frame);
      return this.#leaf('heading', line, line + 2, frame);
    }
    if (code === Code.less) {
      const end = htmlBlockEnd(lines, line, last);
      if (end !== -1) return this.#html(line, end, frame);
    }
    if (code === Code.openBracket) {
      const next = this.#footnote(line, frame) ?? this.#definition(line, frame);
      if (next !== undefined) return next;
    }
    const table = tableEnd(lines, line, last);
    return table === -1 ? this.#paragraph(line, frame) : this.#table(line, table, frame);
  }

  /** Records a block of whole lines that contains no others: `next` is the line after it. */
  #leaf(type: BlockType, line: number, next: number, frame: BlockFrame): number {
    const start = fromOf(this.#lines, line);
    this.#addBlock(frame, type, { start, end: endOf(this.#lines, next - 1) });
    return next;
  }

  /** Records a block; only those at the root of the note are facts. */
  #addBlock(frame: BlockFrame, type: BlockType, range: TextRange, id?: string): void {
    frame.block = { type, range };
    if (frame.depth > 0) return;
    this.#sink.blocks.push(id === undefined ? { type, range } : { type, range, id });
  }

  /** Has the text of a block scanned. */
  #text(span: { first: number; last: number; start: number; end: number }): void {
    if (span.start < span.end) this.#inline.scan(inlineTextOf(this.#lines, span));
  }

  #indentedCode(line: number, frame: BlockFrame): number {
    return this.#code(line, indentedEnd(this.#lines, line, frame.last), frame);
  }

  #code(line: number, next: number, frame: BlockFrame): number {
    const start = fromOf(this.#lines, line);
    this.#sink.code.push({ start, end: endOf(this.#lines, next - 1) });
    return this.#leaf('code', line, next, frame);
  }

  /**
   * Records a heading. The app only has headings at the root of the note, not in quotes and lists.
   */
  #heading(line: number, level: number, content: TextRange, frame: BlockFrame): void {
    const lines = this.#lines;
    if (frame.depth === 0) {
      const underlined = level <= 2 && headingLevel(lines, line) === 0;
      const end = endOf(lines, underlined ? line + 1 : line);
      this.#sink.headings.push({
        level: level as 1 | 2 | 3 | 4 | 5 | 6,
        text: lines.text.slice(content.start, content.end).trim(),
        range: { start: fromOf(lines, line), end },
      });
    }
    this.#text({ first: line, last: line, start: content.start, end: content.end });
  }

  #html(line: number, next: number, frame: BlockFrame): number {
    const stop = endOf(this.#lines, next - 1);
    let at = this.#commentOpens.next(fromOf(this.#lines, line));
    while (at !== -1 && at < stop) {
      // From the dashes of `<!--` on, because `<!-->` is a comment too.
      const close = this.#commentCloses.next(at + 2);
      const end = close === -1 || close + 3 > stop ? stop : close + 3;
      this.#sink.comments.push({ start: at, end });
      at = this.#commentOpens.next(end);
    }
    return this.#leaf('html', line, next, frame);
  }

  /** A comment or math block, which may end in the middle of a line. */
  #marked(line: number, block: MarkedBlock, type: BlockType, frame: BlockFrame): number {
    const lines = this.#lines;
    this.#addBlock(frame, type, { start: fromOf(lines, line), end: block.end });
    // Text after the closing mark on the same line is a block of its own.
    lines.from[block.lastLine] = block.end;
    return isEmptyLine(lines, block.lastLine) ? block.lastLine + 1 : block.lastLine;
  }

  /** A comment contains no blocks, but its tags and links count. */
  #comment(line: number, block: MarkedBlock, frame: BlockFrame): number {
    const start = fromOf(this.#lines, line);
    this.#sink.comments.push({ start, end: block.end });
    const { contentStart, contentEnd, lastLine } = block;
    this.#text({ first: line, last: lastLine, start: contentStart, end: contentEnd });
    return this.#marked(line, block, 'comment', frame);
  }

  #quote(line: number, outer: BlockFrame): number {
    const lines = this.#lines;
    const start = fromOf(lines, line);
    const next = stripQuote(lines, line, outer.last, (at) => this.#opensExtension(at, outer.last));
    const range = { start, end: endOf(lines, next - 1) };
    const callout = calloutOf(lines.text, fromOf(lines, line), endOf(lines, line));
    let first = line;
    if (callout !== undefined) {
      this.#sink.callouts.push({ ...callout, range });
      // The title is a line of its own, and a new block begins after it.
      const title = fromOf(lines, line);
      this.#text({ first: line, last: line, start: title, end: endOf(lines, line) });
      first++;
    }
    const inside = new BlockFrame(next, outer.depth + 1, outer.itemLine);
    if (first < next) this.#scanInside(first, inside);
    const id = outer.depth === 0 ? this.#recordId(inside.block, range) : undefined;
    this.#addBlock(outer, callout === undefined ? 'blockquote' : 'callout', range, id);
    return next;
  }

  /**
   * Whether a comment or math block, which Markdown does not have, begins on a line. Like a fence,
   * it ends the block before it.
   */
  #opensExtension(line: number, last: number): boolean {
    const lines = this.#lines;
    switch (lines.text.charCodeAt(indentEnd(lines, line))) {
      case Code.percent:
        return readCommentBlock(lines, line, last) !== undefined;
      case Code.dollar:
        return readMathBlock(lines, line, last) !== undefined;
      default:
        return false;
    }
  }

  #list(line: number, outer: BlockFrame): number {
    const lines = this.#lines;
    if (!outer.hasList) {
      outer.hasList = true;
      outer.beforeList = outer.block;
    }
    const start = fromOf(lines, line);
    const list = readList(
      lines,
      line,
      outer.last,
      (next) => interruptsList(lines, next) || this.#opensExtension(next, outer.last),
    );
    const parent = outer.itemLine === -1 ? -Math.max(line, 1) : outer.itemLine;
    const end = endOf(lines, list.end - 1);
    for (const item of list.items) this.#item(item, parent, outer);
    this.#addBlock(outer, 'list', { start, end });
    return list.end;
  }

  #item(item: ItemLines, parent: number, outer: BlockFrame): void {
    const lines = this.#lines;
    const { listItems } = this.#sink;
    const start = fromOf(lines, item.first);
    const end = item.gap ? fromOf(lines, item.last) : endOf(lines, item.last - 1);
    stripItem(lines, item);
    const content = fromOf(lines, item.first);
    const task = taskAt(lines.text, content, endOf(lines, item.first));
    if (task !== -1) {
      lines.from[item.first] = Math.min(content + 4, endOf(lines, item.first));
    }
    const index = listItems.length;
    listItems.push({ range: { start, end }, parent });
    const inside = this.#itemContent(item, outer);
    // The range and the id of an item end before the list that is nested in it.
    const own = inside.hasList ? inside.beforeList : inside.block;
    const range = { start, end: inside.hasList && own !== undefined ? own.range.end : end };
    const id = this.#recordId(own, range);
    listItems[index] = listItem({ range, parent, task, id }, lines.text);
  }

  /**
   * Scans the content of an item. If an empty line follows (`gap`), it belongs to the item, and
   * white space on it is hidden while the item is scanned.
   */
  #itemContent(item: ItemLines, outer: BlockFrame): BlockFrame {
    const { ends } = this.#lines;
    const last = item.gap ? item.last + 1 : item.last;
    const inside = new BlockFrame(last, outer.depth + 1, item.first);
    if (!item.gap) return this.#scanInside(item.first, inside);
    const before = endOf(this.#lines, item.last);
    ends[item.last] = fromOf(this.#lines, item.last);
    this.#scanInside(item.first, inside);
    ends[item.last] = before;
    return inside;
  }

  /**
   * Records and returns the `^id` at the end of a paragraph, which names `range`, if it has one.
   */
  #recordId(block: FoundBlock | undefined, range: TextRange): string | undefined {
    if (block?.type !== 'paragraph') return undefined;
    const found = blockIdIn(this.#lines.text, block.range.start, block.range.end);
    if (found === undefined) return undefined;
    this.#sink.blockIds.push({ id: found.id, range, idRange: found.range });
    return found.id;
  }

  #footnote(line: number, outer: BlockFrame): number | undefined {
    const lines = this.#lines;
    const footnote = footnoteOf(lines, line);
    if (footnote === undefined) return undefined;
    const next = footnoteEnd(
      lines,
      line,
      outer.last,
      (at) => interruptsParagraph(lines, at) || this.#opensExtension(at, outer.last),
    );
    const range = { start: fromOf(lines, line), end: endOf(lines, next - 1) };
    this.#sink.footnotes.push({ id: footnote.id, range });
    stripFootnote(lines, { first: line, last: next, contentStart: footnote.contentStart });
    this.#scanInside(line, new BlockFrame(next, outer.depth + 1, outer.itemLine));
    this.#addBlock(outer, 'footnoteDefinition', range);
    return next;
  }

  #definition(line: number, frame: BlockFrame): number | undefined {
    frame.searches ??= new DefinitionSearches();
    const found: Definition | undefined = readDefinition(
      this.#lines,
      line,
      frame.last,
      frame.searches,
    );
    if (found === undefined) return undefined;
    const start = fromOf(this.#lines, line);
    const link = definitionLink(this.#lines.text, { start, label: found.label, tail: found.tail });
    if (link !== undefined) this.#sink.links.push(link);
    return this.#leaf('definition', line, found.next, frame);
  }

  #table(line: number, next: number, frame: BlockFrame): number {
    const { text } = this.#lines;
    for (let row = line; row < next; row++) {
      if (row === line + 1) continue; // The line of dashes below the header.
      eachCell(this.#lines, row, (start, end) =>
        this.#inline.scan({ text, start, end, inTable: true }),
      );
    }
    return this.#leaf('table', line, next, frame);
  }

  #paragraph(line: number, frame: BlockFrame): number {
    const lines = this.#lines;
    const next = paragraphEnd(
      lines,
      line,
      frame.last,
      (at) => interruptsParagraph(lines, at) || this.#opensExtension(at, frame.last),
    );
    const range = { start: fromOf(lines, line), end: endOf(lines, next - 1) };
    this.#text({ first: line, last: next - 1, start: range.start, end: range.end });
    const id = frame.depth === 0 ? this.#recordParagraphId(range) : undefined;
    this.#addBlock(frame, 'paragraph', range, id);
    return next;
  }

  /**
   * Records the `^id` of a paragraph at the root, and returns it if it names the paragraph itself.
   * An id that stands alone names the block before it, see `takesIdBelow`.
   */
  #recordParagraphId(range: TextRange): string | undefined {
    const { blocks } = this.#sink;
    const found = blockIdIn(this.#lines.text, range.start, range.end);
    if (found === undefined) return undefined;
    const { id, range: idRange } = found;
    const before = blocks.at(-1);
    const named = found.alone && before !== undefined && takesIdBelow(before.type);
    this.#sink.blockIds.push({ id, range: named ? before.range : range, idRange });
    if (!named) return id;
    blocks[blocks.length - 1] = { ...before, id };
    return undefined;
  }
}
