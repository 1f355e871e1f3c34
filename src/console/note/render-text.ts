import type { ComponentChild } from 'preact';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { addressStart, emailEnd, UrlSearches, urlEnd } from '../../markdown/inline/inline-url.ts';
import { element } from './allowed-elements.ts';
import { markWords } from './mark-words.ts';

/** A piece of plain text, or an address in it that has no scheme: `www.…` or an e-mail address. */
interface TextPiece {
  readonly text: string;
  /** The address to open. */
  readonly address?: string;
}

/** Finds the addresses in plain text that have no scheme; those with one are tokens of their own. */
export function splitAddresses(text: string): readonly TextPiece[] {
  if (!text.includes('@') && !text.includes('www.')) return [{ text }];
  const pieces: TextPiece[] = [];
  const searches = new UrlSearches({ text, start: 0, end: text.length });
  let done = 0;
  for (let at = 0; at < text.length; ) {
    const www = text.indexOf('www.', at);
    const sign = searches.sign.next(at);
    if (www === -1 && sign === -1) break;
    const isUrl = www !== -1 && (sign === -1 || www < sign);
    const start = isUrl ? www : Math.max(done, addressStart(text, sign, done));
    const end = isUrl
      ? urlEnd(text, www, text.length, searches)
      : start < sign
        ? emailEnd(text, sign, text.length)
        : -1;
    if (end === -1) {
      at = (isUrl ? www : sign) + 1;
      continue;
    }
    if (start > done) pieces.push({ text: text.slice(done, start) });
    const found = text.slice(start, end);
    pieces.push({ text: found, address: isUrl ? `https://${found}` : `mailto:${found}` });
    done = end;
    at = end;
  }
  if (done < text.length) pieces.push({ text: text.slice(done) });
  return pieces;
}

/** Marks that change the direction of text; a note could make a line read as another with them. */
const turning = /[\u202a-\u202e\u2066-\u2069]/;
const eachTurning = /([\u202a-\u202e\u2066-\u2069])/;

/**
 * Plain text with its highlighted words; marks that turn the direction of text are drawn. After
 * `piecesMax` pieces nothing more is highlighted, and such marks are left out.
 */
export function renderText(text: string, marks: readonly string[]): ComponentChild[] {
  const shown: ComponentChild[] = [];
  let done = 0;
  for (const part of turning.test(text) ? text.split(eachTurning) : [text]) {
    if (shown.length >= consoleNoteLimits.piecesMax) break;
    done += part.length;
    if (part.length === 1 && turning.test(part)) {
      const code = part.charCodeAt(0).toString(16).toUpperCase();
      shown.push(element('span', { class: 'invisible' }, `U+${code}`));
    } else if (part !== '') {
      for (const { text: piece, isMarked } of markWords(part, marks)) {
        shown.push(isMarked ? element('mark', { class: 'found' }, piece) : piece);
      }
    }
  }
  if (done < text.length) shown.push(text.slice(done).split(eachTurning).filter(isWord).join(''));
  return shown;
}

function isWord(part: string): boolean {
  return !turning.test(part);
}
