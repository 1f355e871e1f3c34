import type { Link, NoteFacts } from '../facts/facts.ts';
import { linkFacts, moveLink } from '../facts/link-facts.ts';
import { displayTextOf, isExternal, parseWholeLink, splitLink } from '../facts/link-text.ts';
import { readYaml, YamlRefusal } from '../properties/yaml-document.ts';
import { escapeForScalar, scalarOffsets } from '../properties/yaml-offsets.ts';
import { type FoundString, YamlValues } from '../properties/yaml-values.ts';

/**
 * Finds the links of a base (`.base`): `[[…]]` and `link("…")` in its filters and formulas. The
 * range of a `link("…")` is the string with its quotes. Never throws: a file that is not YAML has
 * one problem and no links.
 */
export function scanBase(text: string): NoteFacts {
  const start = bomLength(text);
  const source = text.slice(start);
  try {
    const links: Link[] = [];
    const document = readYaml(source);
    new YamlValues(document, source).valueOf(document.contents, (string) => {
      if (!string.aliased) links.push(...linksIn(source, string));
    });
    return linkFacts(links.map((link) => moveLink(link, (offset) => offset + start)));
  } catch (error) {
    if (!(error instanceof YamlRefusal)) throw error;
    const range = { start: error.range.start + start, end: error.range.end + start };
    return linkFacts([], [{ code: 'invalid_base', message: error.message, range }]);
  }
}

/**
 * A text as it must be written in place of a part of a link of a base, with the escapes of its
 * quotes.
 */
export function escapeForBaseLink({ quote }: Link, put: string): string {
  return escapeForScalar(put, quote ?? '');
}

function bomLength(text: string): number {
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

/** A wikilink, or the first argument of `link(` if it is a string but no wikilink. */
const linkPattern =
  /(\[\[[^[\]\n]+\]\])|\blink\(\s*(?:"(?!\[\[)([^"\\\n]+)"|'(?!\[\[)([^'\\\n]+)')/g;

function linksIn(source: string, { text, range }: FoundString): Link[] {
  if (!text.includes('[[') && !text.includes('link(')) return [];
  const offsets = scalarOffsets(source, range, text);
  if (offsets === undefined) return [];
  const links: Link[] = [];
  const quote = /["']/.exec(source.charAt(range.start))?.[0] ?? '';
  for (const match of text.matchAll(linkPattern)) {
    const [whole, wikilink, double, single] = match;
    const link =
      wikilink === undefined ? calledLink(double ?? single ?? '') : parseWholeLink(wikilink);
    if (link === undefined) continue;
    // The link is at the end of the match, after `link(` if that is there.
    const at = match.index + whole.length - link.range.end;
    const place = (offset: number) => offsets[at + offset] ?? range.end;
    links.push({ ...moveLink(link, place), form: 'base', embed: false, quote });
  }
  return links;
}

/** The link that `link("…")` makes, with ranges relative to the string with its quotes. */
function calledLink(target: string): Link | undefined {
  if (isExternal(target)) return undefined;
  const { path, subpath } = splitLink(target);
  return {
    form: 'base',
    embed: false,
    link: target,
    path,
    subpath,
    displayText: displayTextOf(target),
    range: { start: 0, end: target.length + 2 },
    pathRange: { start: 1, end: 1 + path.length },
  };
}
