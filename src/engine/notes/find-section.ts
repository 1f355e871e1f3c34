import { VaultError } from '../../base/vault-error.ts';
import type { NoteFacts } from '../../markdown/facts/facts.ts';
import { headingKey } from '../../markdown/facts/heading-match.ts';
import { type Section, sectionsOf } from '../../markdown/scan/sections.ts';

const listedMax = 20;
const shownCharsMax = 100;

/**
 * Finds the section that a caller means: by the text of its heading, by a path `A > B` or `A#B`
 * that begins at a heading above it, or by the heading's line (`## B`), which fixes the level too.
 * Headings are compared as links compare them. Fails with `not_found` or `ambiguous` and lists the
 * candidates: a section is never guessed and never created.
 */
export function findSection(text: string, facts: NoteFacts, section: string): Section {
  const sections = sectionsOf(text, facts);
  const found = matching(sections, section.trim());
  const [first] = found;
  if (first === undefined) throw noSuchSection(sections, section);
  if (found.length > 1) throw severalSections(found, section);
  return first;
}

function matching(sections: readonly Section[], asked: string): readonly Section[] {
  if (asked === '') {
    throw new VaultError('invalid_input', 'Name the heading of the section; it cannot be empty.');
  }
  const line = /^(#{1,6})[ \t]+(.*)$/.exec(asked);
  const name = line?.[2] ?? asked;
  const keys = name
    .split(/ > |#/)
    .map(headingKey)
    .filter((key) => key !== '');
  if (keys.length > 1) {
    const below = sections.filter((section) => isBelow(section, keys));
    // A section whose whole path was given wins over one with other headings in between.
    const whole = below.filter(({ path }) => headingKey(path.join(' ')) === headingKey(name));
    if (below.length > 0) return whole.length === 1 ? whole : below;
  }
  const named = sections.filter(({ heading }) => hasName(heading.text, name));
  return line === null ? named : named.filter(({ heading }) => heading.level === line[1]?.length);
}

/**
 * Whether a section has the last name, and the headings above it have the others in their order.
 */
function isBelow({ path }: Section, keys: readonly string[]): boolean {
  const names = path.map(headingKey);
  if (names.pop() !== keys.at(-1)) return false;
  let next = 0;
  for (const name of names) if (name === keys[next]) next++;
  return next >= keys.length - 1;
}

/**
 * Compares a heading with a name. A heading of punctuation only has no key, so it is compared
 * exactly.
 */
function hasName(heading: string, name: string): boolean {
  const key = headingKey(name);
  return key === '' ? heading.trim() === name : headingKey(heading) === key;
}

/**
 * The text that finds this section again: its path, or its heading's line where nothing is above
 * it.
 */
function nameOf({ heading, path }: Section): string {
  return path.length > 1 ? path.join(' > ') : `${'#'.repeat(heading.level)} ${heading.text}`;
}

function noSuchSection(sections: readonly Section[], asked: string): VaultError {
  const key = headingKey(asked);
  const near = sections.filter(({ heading }) => {
    const other = headingKey(heading.text);
    return key !== '' && other !== '' && (other.includes(key) || key.includes(other));
  });
  const nearFirst = Array.from(new Set([...near, ...sections]));
  const candidates = nearFirst.slice(0, listedMax).map(nameOf);
  const more = nearFirst.length > listedMax ? ' …' : '';
  const hint =
    candidates.length > 0
      ? `It has: ${candidates.map(shown).join(', ')}${more}.`
      : 'It has no headings at all.';
  return new VaultError('not_found', `The note has no heading "${shown(asked)}". ${hint}`, {
    details: { section: shown(asked), candidates },
  });
}

function severalSections(found: readonly Section[], asked: string): VaultError {
  const candidates = found.slice(0, listedMax).map(nameOf);
  const advice =
    new Set(candidates).size === candidates.length
      ? 'give the one you mean'
      : 'some cannot be told apart, so rename one of them first';
  return new VaultError(
    'ambiguous',
    `The note has ${found.length} headings "${shown(asked)}"; ${advice}: ${candidates.map(shown).join(', ')}.`,
    { details: { section: shown(asked), candidates } },
  );
}

function shown(asked: string): string {
  return asked.length > shownCharsMax ? `${asked.slice(0, shownCharsMax)}…` : asked;
}
