import type { TextRange } from '../../base/text-range.ts';
import { Code, isBlankBetween } from '../text/characters.ts';
import type { Link } from './facts.ts';
import { type LinkTail, readLinkTail, TailSearches } from './link-tail.ts';

/** Splits a link at its first `#`; `subpath` keeps the `#`. */
export function splitLink(link: string): { path: string; subpath: string } {
  const hash = link.indexOf('#');
  return hash === -1
    ? { path: link, subpath: '' }
    : { path: link.slice(0, hash), subpath: link.slice(hash) };
}

/** The two parts of a wikilink, as offsets into the text between its brackets. */
interface WikilinkParts {
  readonly linkEnd: number;
  /** Where the alias begins; absent where there is none. */
  readonly aliasStart?: number;
}

/**
 * Splits the text between the brackets of a wikilink at its first `|`. A `|` at the very start
 * belongs to the link. In a table the pipe is written `\|`, and the backslash belongs to neither
 * part.
 */
function wikilinkParts(inner: string, where: { inTable: boolean }): WikilinkParts {
  const pipe = inner.indexOf('|');
  if (pipe <= 0) return { linkEnd: inner.length };
  const escaped = where.inTable && pipe > 1 && inner.charAt(pipe - 1) === '\\';
  return { linkEnd: escaped ? pipe - 1 : pipe, aliasStart: pipe + 1 };
}

/** What the app shows for a link without an alias: `#` becomes ` > `, but not at the start. */
export function displayTextOf(link: string): string {
  if (!link.includes('#')) return link;
  const shown = link.split('#').filter((part) => part !== '');
  return shown.length === 0 ? link : shown.join(' > ');
}

/** Decodes `%20` and the like; an invalid encoding stays as it is. Never throws. */
export function decodeDestination(destination: string): string {
  if (!destination.includes('%')) return destination;
  try {
    return decodeURIComponent(destination);
  } catch {
    return destination.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
      try {
        return decodeURIComponent(encoded);
      } catch {
        return encoded;
      }
    });
  }
}

/**
 * Whether a destination leads out of the vault: a URL with a scheme, or `//host`. A scheme has at
 * least two letters, so a drive letter is not one.
 */
export function isExternal(destination: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(destination);
}

/**
 * Where the wikilink that opens at `open` ends, after its brackets; -1 when there is none. It must
 * not contain `[[`, `]]` or a line end, and `[[[x]]]` is a bracket around `[[x]]`.
 */
export function wikilinkEnd(text: string, open: number, end: number): number {
  const first = open + 2;
  if (text.charCodeAt(open + 1) !== Code.openBracket) return -1;
  if (text.charCodeAt(first) === Code.openBracket) return -1;
  for (let i = first; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === Code.lineFeed) return -1;
    if (code === Code.openBracket && text.charCodeAt(i + 1) === code) return -1;
    if (code === Code.closeBracket && i + 1 < end && text.charCodeAt(i + 1) === code) {
      return isBlankBetween(text, first, i) ? -1 : i + 2;
    }
  }
  return -1;
}

/** A link while it is made: `displayRange` is added last, where there is one. */
type FoundLink = Link & { displayRange?: TextRange };

/**
 * The wikilink between `start` (its `!` or first bracket) and `end`; `open` is its first bracket.
 */
export function wikilink(
  text: string,
  place: { start: number; open: number; end: number; inTable: boolean },
): Link {
  const { start, open, end, inTable } = place;
  const first = open + 2;
  const inner = text.slice(first, end - 2);
  const { linkEnd, aliasStart } = wikilinkParts(inner, { inTable });
  const written = inner.slice(0, linkEnd);
  const link = written.trim();
  const linkStart = first + written.length - written.trimStart().length;
  const { path, subpath } = splitLink(link);
  const alias = aliasStart === undefined ? '' : inner.slice(aliasStart);
  // `displayRange` is not spread into the object, here and below: that was slow in profiles.
  const found: FoundLink = {
    form: 'wikilink',
    embed: start !== open,
    link,
    path,
    subpath,
    displayText: alias === '' ? displayTextOf(link) : alias,
    range: { start, end },
    pathRange: { start: linkStart, end: linkStart + path.length },
  };
  if (alias !== '') found.displayRange = { start: end - 2 - alias.length, end: end - 2 };
  return found;
}

/**
 * The Markdown link from `start` (its `!` or first bracket), whose text is between the brackets
 * `open` and `close`; undefined when it leads out of the vault.
 */
export function markdownLink(
  text: string,
  place: { start: number; open: number; close: number; tail: LinkTail },
): Link | undefined {
  const { start, open, close, tail } = place;
  const target = targetOf(text, tail);
  if (target === undefined) return undefined;
  const display = text.slice(open + 1, close);
  const { link, path, subpath, pathRange } = target;
  const found: FoundLink = {
    form: 'markdown',
    embed: start !== open,
    link,
    path,
    subpath,
    displayText: display === '' ? displayTextOf(link) : display,
    range: { start, end: tail.end },
    pathRange,
    angled: tail.angled,
  };
  if (display !== '') found.displayRange = { start: open + 1, end: close };
  return found;
}

/**
 * The definition of a reference link, `[label]: destination`; undefined when it leads out of the
 * vault.
 */
export function definitionLink(
  text: string,
  place: { start: number; label: { start: number; end: number }; tail: LinkTail },
): Link | undefined {
  const target = targetOf(text, place.tail);
  if (target === undefined) return undefined;
  return {
    form: 'definition',
    embed: false,
    ...target,
    displayText: text.slice(place.label.start, place.label.end),
    range: { start: place.start, end: place.tail.end },
    displayRange: place.label,
    angled: place.tail.angled,
  };
}

/** The file of the vault that a destination names; undefined when it names none. */
function targetOf(
  text: string,
  tail: LinkTail,
): Pick<Link, 'link' | 'path' | 'subpath' | 'pathRange'> | undefined {
  const written = text.slice(tail.start, tail.stop);
  if (written === '' || isExternal(written)) return undefined;
  const link = decodeDestination(decodeReferences(withoutEscapes(written)));
  if (link.trim() === '') return undefined;
  const { path, subpath } = splitLink(link);
  // The path ends where the link's first `#` is written, as `#` or as `%23`.
  const hash = written.search(/#|%23/);
  const pathEnd = hash === -1 ? tail.stop : tail.start + hash;
  return { link, path, subpath, pathRange: { start: tail.start, end: pathEnd } };
}

function withoutEscapes(written: string): string {
  return written.includes('\\') ? written.replace(/\\([!-/:-@[-`{-~])/g, '$1') : written;
}

const namedReferences: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Decodes the character references that a path may have: `&amp;`, `&#32;`, `&#x20;`. */
function decodeReferences(written: string): string {
  if (!written.includes('&')) return written;
  return written.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,5}));/g,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return namedReferences[name] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}

/**
 * Parses a string that is one link, with or without white space around it; undefined for any other
 * string. Ranges are relative to the string.
 */
export function parseWholeLink(value: string): Link | undefined {
  const end = value.trimEnd().length;
  const start = value.length - value.trimStart().length;
  const embed = value.charAt(start) === '!';
  const open = embed ? start + 1 : start;
  if (value.charAt(open) !== '[') return undefined;
  if (value.charAt(open + 1) === '[') {
    if (wikilinkEnd(value, open, end) !== end) return undefined;
    return wikilink(value, { start, open, end, inTable: false });
  }
  const close = closingBracket(value, open, end);
  if (close === -1) return undefined;
  const searches = new TailSearches({ text: value, start: close + 1, end });
  const tail = readLinkTail(value, close + 1, end, searches);
  if (tail === undefined || tail.end !== end) return undefined;
  return markdownLink(value, { start, open, close, tail });
}

/** The bracket that closes the one at `open`; -1 when there is none. */
function closingBracket(value: string, open: number, end: number): number {
  let depth = 0;
  for (let i = open; i < end; i++) {
    const character = value.charAt(i);
    if (character === '\\') i++;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) return i;
  }
  return -1;
}
