import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { NoteFacts } from '../../markdown/facts/facts.ts';
import { headingKey } from '../../markdown/facts/heading-match.ts';
import { type Section, sectionsOf } from '../../markdown/scan/sections.ts';

const listedMax = 20;
const shownCharsMax = 100;

/**
 * Finds the section that a caller means: by the text of its heading, by a path `A > B` or `A#B`
 * that begins at a heading above it, or by the heading's line (`## B`), which fixes the level too.
 * Of several such headings, `B (2)` is the second, and `B (line 7)` the one on line 7. Headings are
 * compared as links compare them. Fails with `not_found` or `ambiguous` and lists the candidates: a
 * section is never guessed and never created.
 */
export function findSection(text: string, facts: NoteFacts, section: string): Section {
  const note = { text, sections: sectionsOf(text, facts) };
  const found = matching(note.sections, section.trim());
  const [first = chosen(note, section.trim())] = found;
  if (first === undefined) throw noSuchSection(note, section);
  if (found.length > 1) throw severalSections(note, found, section);
  return first;
}

interface SectionedNote {
  readonly text: string;
  readonly sections: readonly Section[];
}

/** Finds one of several equal headings by the number or the line in brackets after its name. */
function chosen({ text, sections }: SectionedNote, asked: string): Section | undefined {
  const choice = /\s\((line )?(\d{1,9})\)$/.exec(asked);
  if (choice === null) return undefined;
  const number = Number(choice[2]);
  const equal = matching(sections, asked.slice(0, choice.index));
  if (choice[1] === undefined) return equal[number - 1];
  const lines = new LineIndex(text);
  return equal.find(({ heading }) => lines.lineAt(heading.range.start) + 1 === number);
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
 * it; with a number where several sections have that path.
 */
function nameOf({ text, sections }: SectionedNote, section: Section): string {
  const { heading, path } = section;
  const name = path.length > 1 ? path.join(' > ') : `${'#'.repeat(heading.level)} ${heading.text}`;
  const equal = matching(sections, name);
  if (equal.length <= 1) return name;
  const numbered = `${name} (${equal.indexOf(section) + 1})`;
  if (matching(sections, numbered).length === 0) return numbered;
  // Another heading has that number in its text.
  return `${name} (line ${new LineIndex(text).lineAt(heading.range.start) + 1})`;
}

function noSuchSection(note: SectionedNote, asked: string): VaultError {
  const { sections } = note;
  const key = headingKey(asked);
  const near = sections.filter(({ heading }) => {
    const other = headingKey(heading.text);
    return key !== '' && other !== '' && (other.includes(key) || key.includes(other));
  });
  const nearFirst = Array.from(new Set([...near, ...sections]));
  const candidates = nearFirst.slice(0, listedMax).map((section) => nameOf(note, section));
  const more = nearFirst.length > listedMax ? ' …' : '';
  const hint =
    candidates.length > 0
      ? `It has: ${candidates.map(shown).join(', ')}${more}.`
      : 'It has no headings at all.';
  return new VaultError('not_found', `The note has no heading "${shown(asked)}". ${hint}`, {
    details: { section: shown(asked), candidates },
  });
}

function severalSections(
  note: SectionedNote,
  found: readonly Section[],
  asked: string,
): VaultError {
  const candidates = found.slice(0, listedMax).map((section) => nameOf(note, section));
  const more = found.length > listedMax ? ' …' : '';
  const hint = candidates.some((name) => /\(\d+\)$/.test(name))
    ? ' The number in brackets counts equal headings from the top.'
    : '';
  return new VaultError(
    'ambiguous',
    `The note has ${found.length} headings "${shown(asked)}"; give the one you mean: ${candidates.map(shown).join(', ')}${more}.${hint}`,
    { details: { section: shown(asked), candidates } },
  );
}

function shown(asked: string): string {
  return asked.length > shownCharsMax ? `${asked.slice(0, shownCharsMax)}…` : asked;
}
