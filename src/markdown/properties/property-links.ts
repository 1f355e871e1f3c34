import type { Link, PropertyLink } from '../facts/facts.ts';
import { moveLink } from '../facts/link-facts.ts';
import { parseWholeLink } from '../facts/link-text.ts';
import type { PropertyBlock, PropertyString } from './property-strings.ts';
import { escapeForScalar, scalarOffsets } from './yaml-offsets.ts';

/**
 * Returns the links among the strings of a block: each string that is, as a whole, one link.
 * Strings that only repeat another through a YAML alias are left out, or a rename would edit the
 * same place twice.
 */
export function propertyLinksOf(text: string, block: PropertyBlock): PropertyLink[] {
  const links: PropertyLink[] = [];
  for (const string of block.strings) {
    if (string.aliased || !mayBeLink(string.text)) continue;
    const link = parseWholeLink(string.text);
    if (link === undefined) continue;
    const key = `${block.properties[string.property]?.key ?? ''}${string.path}`;
    links.push({ key, ...inSource(text, string, link) });
  }
  return links;
}

/** A cheap test that rules out nearly every string before it is parsed. */
function mayBeLink(text: string): boolean {
  const last = text.trimEnd().at(-1);
  return (last === ']' || last === ')') && text.includes('[');
}

/**
 * Moves the ranges of a link from the string to where its characters are written; where that cannot
 * be found, all ranges are the whole scalar.
 */
function inSource(text: string, { range, text: value }: PropertyString, link: Link): Link {
  const offsets = scalarOffsets(text, range, value);
  if (offsets !== undefined) return moveLink(link, (offset) => offsets[offset] ?? range.end);
  const { displayRange: _, ...rest } = link;
  return { ...rest, range, pathRange: range };
}

/**
 * A text as it must be written in place of a part of a property's link, with the escapes of its
 * quotes.
 */
export function escapeForPropertyLink(text: string, link: PropertyLink, put: string): string {
  let at = link.range.start - 1;
  while (text.charAt(at) === ' ') at--;
  return escapeForScalar(put, text.charAt(at));
}
