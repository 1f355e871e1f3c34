import type { StateInline } from 'markdown-it';
import { wikilink, wikilinkEnd } from '../../markdown/facts/link-text.ts';
import { tagEnd } from '../../markdown/facts/tag-scanner.ts';
import { StretchMemo } from '../../markdown/inline/inline-emphasis.ts';
import {
  commentEnd,
  footnoteReferenceEnd,
  highlightEnd,
  mathEnd,
} from '../../markdown/inline/inline-obsidian.ts';
import { BracketPairs } from '../../markdown/inline/inline-pairs.ts';
import { UrlSearches, urlEnd } from '../../markdown/inline/inline-url.ts';
import { Code, isSpace } from '../../markdown/text/characters.ts';
import { literal, Places } from '../../markdown/text/places.ts';

// What Obsidian adds to Markdown inside a paragraph, as rules of markdown-it over the functions with
// which the server scans notes. With `silent` a rule only says where its token ends.

type InlineRule = (state: StateInline, silent: boolean) => boolean;

/** Searches over the text of one block, each made when it is first needed. */
class Searches {
  readonly #piece: { text: string; start: number; end: number };
  readonly memo = new StretchMemo();
  #marks: Places | undefined;
  #math: Places | undefined;
  #urls: UrlSearches | undefined;
  #brackets: BracketPairs | undefined;

  constructor(text: string) {
    this.#piece = { text, start: 0, end: text.length };
  }
  get marks(): Places {
    this.#marks ??= new Places(this.#piece, literal('=='));
    return this.#marks;
  }
  get math(): Places {
    this.#math ??= new Places(this.#piece, literal('$$'));
    return this.#math;
  }
  get urls(): UrlSearches {
    this.#urls ??= new UrlSearches(this.#piece);
    return this.#urls;
  }
  get brackets(): BracketPairs {
    this.#brackets ??= new BracketPairs(this.#piece.text, 0, this.#piece.end);
    return this.#brackets;
  }
}

const known = new WeakMap<StateInline, Searches>();

function searchesOf(state: StateInline): Searches {
  const found = known.get(state) ?? new Searches(state.src);
  known.set(state, found);
  return found;
}

/** `[[Note]]` and `![[Note]]`: a token `wikilink` whose meta is the link. */
function wikilinkRule(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const open = src.charCodeAt(pos) === Code.exclamation ? pos + 1 : pos;
  if (src.charCodeAt(open) !== Code.openBracket) return false;
  const end = wikilinkEnd(src, open, posMax);
  if (end === -1) return false;
  if (!silent) {
    const link = wikilink(src, { start: pos, open, end, inTable: false });
    state.push('wikilink', '', 0).meta = { link };
  }
  state.pos = end;
  return true;
}

/** `#tag`, where white space or nothing stands before it. */
function tagRule(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== Code.hash) return false;
  if (pos > 0 && !isSpace(src.charCodeAt(pos - 1))) return false;
  const end = tagEnd(src, pos, posMax);
  if (end === -1) return false;
  if (!silent) state.push('tag', '', 0).content = src.slice(pos, end);
  state.pos = end;
  return true;
}

/** `==highlight==`. */
function highlightRule(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== Code.equals) return false;
  const closing = highlightEnd(src, pos, posMax, searchesOf(state).marks);
  if (closing === undefined) return false;
  if (!silent) inside(state, 'mark', { start: pos + 2, end: closing.contentEnd });
  state.pos = closing.end;
  return true;
}

/** `$math$`, which is shown as it is written. */
function mathRule(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== Code.dollar) return false;
  const { memo, math } = searchesOf(state);
  const end = mathEnd(src, pos, posMax, { memo, marks: math });
  if (end === pos) return false;
  const width = src.charCodeAt(pos + 1) === Code.dollar ? 2 : 1;
  if (!silent) state.push('math', '', 0).content = src.slice(pos + width, end - width);
  state.pos = end;
  return true;
}

/** `%%comment%%`, which is left out. */
function commentRule(state: StateInline): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== Code.percent) return false;
  const closing = commentEnd(src, pos, posMax);
  if (closing === undefined) return false;
  state.pos = closing.end;
  return true;
}

/** `[^1]`, and `^[a footnote in place]`. */
function footnoteRule(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const code = src.charCodeAt(pos);
  const next = src.charCodeAt(pos + 1);
  if (code === Code.openBracket && next === Code.caret) {
    const end = footnoteReferenceEnd(src, pos, posMax);
    if (end === -1) return false;
    if (!silent) state.push('footnote_reference', '', 0).content = src.slice(pos + 2, end - 1);
    state.pos = end;
    return true;
  }
  if (code !== Code.caret || next !== Code.openBracket) return false;
  const close = searchesOf(state).brackets.closing(pos + 1, posMax);
  if (close <= pos + 2) return false;
  if (!silent) inside(state, 'footnote_inline', { start: pos + 2, end: close });
  state.pos = close + 1;
  return true;
}

/**
 * A bare `https://…`. It is found at its colon: what is before that is plain text already. It is no
 * token where the end of a link's text is looked for, because it would take the bracket with it.
 */
function addressRule(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (silent || !src.startsWith('://', pos) || state.linkLevel > 0) return false;
  const start = [pos - 4, pos - 5].find((at) => /^https?$/i.test(src.slice(Math.max(at, 0), pos)));
  if (start === undefined || start < 0) return false;
  const end = urlEnd(src, start, posMax, searchesOf(state).urls);
  if (end === -1) return false;
  if (state.pending.length < pos - start) return false;
  state.pending = state.pending.slice(0, start - pos);
  state.push('address', '', 0).content = src.slice(start, end);
  state.pos = end;
  return true;
}

/** Reads what is between the marks of a token, as its content. */
function inside(
  state: StateInline,
  type: string,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const { posMax } = state;
  state.pos = start;
  state.posMax = end;
  state.push(`${type}_open`, '', 1);
  state.md.inline.tokenize(state);
  state.push(`${type}_close`, '', -1);
  state.posMax = posMax;
}

/** The rules by name, in the order in which they are tried, before markdown-it's own for links. */
export const inlineRules: readonly (readonly [string, InlineRule])[] = [
  ['wikilink', wikilinkRule],
  ['tag', tagRule],
  ['highlight', highlightRule],
  ['math', mathRule],
  ['comment', commentRule],
  ['footnote', footnoteRule],
  ['address', addressRule],
];
