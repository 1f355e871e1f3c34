import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import { type FactSink, reportTooDeep } from '../facts/fact-sink.ts';
import type { Link } from '../facts/facts.ts';
import { readLinkTail, TailSearches } from '../facts/link-tail.ts';
import { markdownLink, wikilink, wikilinkEnd } from '../facts/link-text.ts';
import { tagEnd } from '../facts/tag-scanner.ts';
import { Code, isEscapable, isSpace, maskOf } from '../text/characters.ts';
import { literal, Places } from '../text/places.ts';
import {
  type Closing,
  deletionEnd,
  emphasisEnd,
  StretchMemo,
  strongEnd,
} from './inline-emphasis.ts';
import { HtmlSearches, htmlEnd } from './inline-html.ts';
import { commentEnd, footnoteReferenceEnd, highlightEnd, mathEnd } from './inline-obsidian.ts';
import { BacktickRuns, BracketPairs } from './inline-pairs.ts';
import type { InlineText } from './inline-text.ts';
import { addressStart, autolinkEnd, emailEnd, UrlSearches, urlEnd } from './inline-url.ts';

/** The characters at which plain text may end and a token may begin. */
const stops = maskOf('\\<[!*_~`#%$=^:.\n');

/**
 * Finds what is inside the text of blocks: links, tags, code, comments and footnotes. It reads as
 * remark-parse 8, Obsidian's parser, does: at each place the first token (a piece of markup, such
 * as a link or emphasis) that fits is taken, or else the text is skipped up to the next place where
 * one could begin. Then the content of each token is scanned in the same way. Methods that are
 * named for a token return where it ends, or `at` when there is no such token.
 */
export class InlineScanner {
  readonly #sink: FactSink;
  /** What is being scanned; `#text` is its text. */
  #source: InlineText = { text: '', start: 0, end: 0, inTable: false };
  #text = '';
  /** How many tokens are around the current place. */
  #depth = 0;
  /**
   * Whether the scanner is inside a link, where there are no links. An `<a …>` that is not closed
   * lasts to the end of the note.
   */
  #inLink = false;
  // Each is made when a block first needs it: most blocks need few.
  #brackets: BracketPairs | undefined;
  #backticks: BacktickRuns | undefined;
  #tails: TailSearches | undefined;
  #html: HtmlSearches | undefined;
  #urls = new UrlSearches(this.#source);
  #highlight: Places | undefined;
  #math: Places | undefined;
  /** The `@` that `#findEmail` found last, and where the address around it begins. */
  #sign = -1;
  #signStart = 0;
  /** The `@` whose address failed, in a stretch that ends at `#failedEnd`. */
  #failedSign = -1;
  #failedEnd = -1;

  constructor(sink: FactSink) {
    this.#sink = sink;
  }

  /** Scans the text of one block. */
  scan(source: InlineText): void {
    this.#source = source;
    this.#text = source.text;
    this.#brackets = undefined;
    this.#backticks = undefined;
    this.#tails = undefined;
    this.#html = undefined;
    this.#urls = new UrlSearches(source);
    this.#highlight = undefined;
    this.#math = undefined;
    this.#sign = -1;
    this.#failedSign = -1;
    this.#stretch(source.start, source.end);
  }

  /** Scans the content of a token. */
  #nested(start: number, end: number): void {
    if (this.#depth >= limits.nestingMax) {
      reportTooDeep(this.#sink, this.#range(start, end));
      return;
    }
    this.#depth++;
    this.#stretch(start, end);
    this.#depth--;
  }

  /** Scans a stretch of text: that of a whole block, or the content of one token. */
  #stretch(start: number, end: number): void {
    let at = start;
    const memo = new StretchMemo();
    while (at < end) {
      const after = this.#token(at, end, memo);
      at = after > at ? after : this.#nextStop(at, end);
    }
  }

  /** The next place after `at` where a token may begin. */
  #nextStop(at: number, end: number): number {
    const text = this.#text;
    const email = this.#findEmail(at + 1, end);
    for (let i = at + 1; i < email; i++) {
      const code = text.charCodeAt(i);
      if (code >= 128 || stops[code] === 0) continue;
      switch (code) {
        case Code.hash:
          if (isSpace(text.charCodeAt(i - 1))) return i;
          break;
        case Code.exclamation:
        case Code.caret:
          if (text.charCodeAt(i + 1) === Code.openBracket) return i;
          break;
        case Code.tilde:
        case Code.percent:
        case Code.equals:
          if (text.charCodeAt(i + 1) === code) return i;
          break;
        case Code.colon: {
          // The colon of `http://` or `https://`.
          const start = text.startsWith('http', i - 4) ? i - 4 : i - 5;
          if (start > at && text.startsWith('//', i + 1)) {
            if (start === i - 4 || text.startsWith('https', start)) return start;
          }
          break;
        }
        case Code.dot:
          // The first dot of `www.`.
          if (i - 3 > at && text.startsWith('www', i - 3)) return i - 3;
          break;
        case Code.lineFeed:
          // Two spaces before a line end are a token of their own: a line break.
          if (i - 2 >= at && text.startsWith('  ', i - 2)) return i + 1;
          break;
        default:
          return i;
      }
    }
    return email;
  }

  /** Where the token that begins at `at` ends; `at` itself when there is none. */
  #token(at: number, end: number, memo: StretchMemo): number {
    const text = this.#text;
    const code = text.charCodeAt(at);
    if (!this.#inLink) {
      const address = this.#addressAt(at, end, code);
      if (address !== -1) return address;
    }
    switch (code) {
      case Code.backslash:
        return at + 1 < end && isEscapable(text.charCodeAt(at + 1)) ? at + 2 : at;
      case Code.less:
        return this.#angle(at, end);
      case Code.exclamation:
        return at + 1 < end && text.charCodeAt(at + 1) === Code.openBracket
          ? this.#bracket(at, at + 1, end)
          : at;
      case Code.openBracket:
        return this.#bracket(at, at, end);
      case Code.asterisk:
      case Code.underscore: {
        const strong = strongEnd(text, at, end, memo);
        if (strong !== undefined) return this.#content(at, at + 2, strong);
        return this.#content(at, at + 1, emphasisEnd(text, at, end, memo));
      }
      case Code.tilde:
        return this.#content(at, at + 2, deletionEnd(text, at, end, memo));
      case Code.backtick:
        return this.#code(at, end);
      case Code.hash:
        return this.#tag(at, end);
      case Code.percent:
        return this.#comment(at, end);
      case Code.dollar:
        this.#math ??= new Places(this.#source, literal('$$'));
        return mathEnd(text, at, end, { memo, marks: this.#math });
      case Code.equals:
        this.#highlight ??= new Places(this.#source, literal('=='));
        return this.#content(at, at + 2, highlightEnd(text, at, end, this.#highlight));
      case Code.caret:
        return this.#inlineFootnote(at, end);
      default:
        return at;
    }
  }

  /** Scans the content of a token, if it is closed. */
  #content(at: number, contentStart: number, closing: Closing | undefined): number {
    if (closing === undefined) return at;
    this.#nested(contentStart, closing.contentEnd);
    return closing.end;
  }

  /** Where the bare address or e-mail address at `at` ends; -1 when there is none. */
  #addressAt(at: number, end: number, code: number): number {
    // 'h', 'H', 'w': the only characters with which a bare address begins.
    if (code === 104 || code === 72 || code === 119) {
      const url = urlEnd(this.#text, at, end, this.#urls);
      if (url !== -1) return url;
    }
    if (this.#findEmail(at, end) !== at) return -1;
    const found = emailEnd(this.#text, this.#sign, end);
    if (found === -1) {
      this.#failedSign = this.#sign;
      this.#failedEnd = end;
    }
    return found;
  }

  /**
   * Finds the next `@` of an e-mail address and remembers it in `#sign`. Returns where its address
   * may begin, from `from` on; `end` when there is none.
   */
  #findEmail(from: number, end: number): number {
    if (this.#inLink) return end;
    let sign = this.#urls.sign.next(from + 1);
    // An address that failed would fail from each of its characters: look for the `@` after it.
    if (sign !== -1 && sign === this.#failedSign && end === this.#failedEnd) {
      sign = this.#urls.sign.next(sign + 1);
    }
    if (sign === -1 || sign >= end) return end;
    if (sign !== this.#sign) {
      this.#sign = sign;
      this.#signStart = addressStart(this.#text, sign, this.#source.start);
    }
    return Math.max(from, this.#signStart);
  }

  /** An address in angle brackets, or HTML. */
  #angle(at: number, end: number): number {
    const text = this.#text;
    if (!this.#inLink) {
      const autolink = autolinkEnd(text, at, end, this.#urls);
      if (autolink !== -1) return autolink;
    }
    this.#html ??= new HtmlSearches(this.#source);
    const html = htmlEnd(text, at, end, this.#html);
    if (html === -1) return at;
    if (text.startsWith('<!--', at)) this.#sink.comments.push(this.#range(at, html));
    if (this.#inLink) {
      if (text.slice(at, html).toLowerCase() === '</a>') this.#inLink = false;
    } else if (/^<a $/i.test(text.slice(at, at + 3))) {
      this.#inLink = true;
    }
    return html;
  }

  /**
   * A wikilink, footnote reference, link or reference whose bracket is at `open`. `at` is the `!`
   * before it if it is an embed or an image, and `open` otherwise.
   */
  #bracket(at: number, open: number, end: number): number {
    const text = this.#text;
    const next = open + 1 < end ? text.charCodeAt(open + 1) : 0;
    if (next === Code.openBracket) {
      const close = wikilinkEnd(text, open, end);
      if (close !== -1) {
        const inTable = this.#source.inTable;
        this.#link(wikilink(text, { start: at, open, end: close, inTable }));
        return close;
      }
    }
    if (next === Code.caret) {
      const close = footnoteReferenceEnd(text, open, end);
      if (close === -1) return at;
      if (at !== open) return open; // Only the `!` is skipped: it is plain text.
      const id = text.slice(open + 2, close - 1);
      this.#sink.footnoteReferences.push({ id, range: this.#range(open, close) });
      return close;
    }
    this.#brackets ??= new BracketPairs(text, open, this.#source.end);
    const close = this.#brackets.closing(open, end);
    const image = at !== open;
    // A link may contain images but no links.
    if (close === -1 || (!image && this.#inLink)) return at;
    this.#tails ??= new TailSearches(this.#source);
    const tail = readLinkTail(text, close + 1, end, this.#tails);
    if (tail !== undefined) {
      const link = markdownLink(text, { start: at, open, close, tail });
      if (link !== undefined) this.#link(link);
      if (!image) this.#linkText(open + 1, close);
      return tail.end;
    }
    const after = this.#reference(open, close, end);
    if (after === -1) return at;
    if (!image) this.#linkText(open + 1, close);
    return after;
  }

  /** Where `[text]`, `[text][]` or `[text][label]` ends; -1 when it is none of them. */
  #reference(open: number, close: number, end: number): number {
    const text = this.#text;
    const nests = this.#brackets?.nests(open) === true;
    const label = close + 1;
    if (label >= end || text.charCodeAt(label) !== Code.openBracket) {
      return close === open + 1 || nests ? -1 : label;
    }
    let i = label + 1;
    for (; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === Code.openBracket || code === Code.closeBracket) break;
      if (code === Code.backslash) i++;
    }
    const closed = i < end && text.charCodeAt(i) === Code.closeBracket;
    if (nests && !(closed && i > label + 1)) return -1;
    if (closed) return i + 1;
    // remark takes the second bracket although it is not closed; we leave a wikilink there.
    return wikilinkEnd(text, label, end) === -1 ? label + 1 : label;
  }

  /** Scans the text of a link. */
  #linkText(start: number, end: number): void {
    const before = this.#inLink;
    this.#inLink = true;
    this.#nested(start, end);
    this.#inLink = before;
  }

  #code(at: number, end: number): number {
    this.#backticks ??= new BacktickRuns(this.#text, at, this.#source.end);
    const close = this.#backticks.codeEnd(at, end);
    if (close === -1) return at;
    this.#sink.code.push(this.#range(at, close));
    return close;
  }

  #tag(at: number, end: number): number {
    const close = tagEnd(this.#text, at, end);
    if (close === -1) return at;
    this.#sink.tags.push({ tag: this.#text.slice(at, close), range: this.#range(at, close) });
    return close;
  }

  #comment(at: number, end: number): number {
    const closing = commentEnd(this.#text, at, end);
    if (closing === undefined) return at;
    this.#sink.comments.push(this.#range(at, closing.end));
    return this.#content(at, at + 2, closing);
  }

  #inlineFootnote(at: number, end: number): number {
    const open = at + 1;
    if (open >= end || this.#text.charCodeAt(open) !== Code.openBracket) return at;
    this.#brackets ??= new BracketPairs(this.#text, open, this.#source.end);
    const close = this.#brackets.closing(open, end);
    if (close === -1 || close === open + 1) return at;
    this.#nested(open + 1, close);
    return close + 1;
  }

  /** Records a link, with its ranges in the note. */
  #link(link: Link): void {
    if (this.#source.place === undefined) {
      this.#sink.links.push(link);
      return;
    }
    const { range, pathRange, displayRange } = link;
    this.#sink.links.push({
      ...link,
      range: this.#range(range.start, range.end),
      pathRange: this.#range(pathRange.start, pathRange.end),
      ...(displayRange === undefined
        ? {}
        : { displayRange: this.#range(displayRange.start, displayRange.end) }),
    });
  }

  /** Turns offsets in `#text` into a range in the note. */
  #range(start: number, end: number): TextRange {
    const place = this.#source.place;
    return place === undefined ? { start, end } : { start: place(start), end: place(end) };
  }
}
