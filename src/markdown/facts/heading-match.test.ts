import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Heading, NoteFacts } from './facts.ts';
import { findBlockId, findHeading, HeadingPaths, headingKey } from './heading-match.ts';
import { linkFacts } from './link-facts.ts';

/** Facts with headings given as `## text`; each stands at its own index. */
function withHeadings(...lines: string[]): NoteFacts {
  const headings = lines.map((line, index): Heading => {
    const level = line.indexOf(' ') as Heading['level'];
    return { level, text: line.slice(level + 1), range: { start: index, end: index } };
  });
  return { ...linkFacts([]), headings };
}

describe('headingKey', () => {
  const rows: [a: string, b: string][] = [
    ['L50 Foo: bar (baz)', 'l50 foo bar baz'],
    ['  A   b\tc ', 'a b c'],
    ['[[Link|x]] & more', 'link x more'],
    ['a/b\\c', 'a b c'],
    ['日本: 語', '日本 語'],
  ];
  it.each(rows)('takes %j and %j for the same', (a, b) => {
    expect(headingKey(a)).toBe(headingKey(b));
  });

  it.each([
    ["it's", 'it s'],
    ['a-b', 'a b'],
    ['a_b', 'ab'],
  ])('tells %j from %j', (a, b) => {
    expect(headingKey(a)).not.toBe(headingKey(b));
  });
});

describe('findHeading', () => {
  const facts = withHeadings(
    '# A',
    '## B',
    '# C',
    '## B',
    '### D',
    '# A',
    '## D',
    '## Foo: bar (baz)',
  );
  const rows: [subpath: string, at: number | undefined][] = [
    ['#A', 0],
    ['A', 0],
    ['#B', 1],
    ['#C#B', 3],
    ['#C#D', 4],
    ['#C#B#D', 4],
    ['#A#D', 6],
    ['#B#A', undefined],
    ['#A#C', undefined],
    ['#foo bar baz', 7],
    ['#missing', undefined],
    ['#', undefined],
    ['', undefined],
    ['#^a', undefined],
    ['#[^a]', undefined],
  ];
  it.each(rows)('finds %j at %j', (subpath, at) => {
    expect(findHeading(facts, subpath)?.range.start).toBe(at);
  });
});

/** The plain search, which tries every heading: the first chain, each below the one before it. */
function plainSearch(
  headings: readonly Heading[],
  keys: readonly string[],
  from = 0,
  level = 0,
): readonly number[] | undefined {
  const [key, ...rest] = keys;
  for (let index = from; index < headings.length; index++) {
    const heading = headings[index];
    if (heading === undefined || heading.level <= level) return undefined;
    if (headingKey(heading.text) !== key) continue;
    if (rest.length === 0) return [index];
    const below = plainSearch(headings, rest, index + 1, heading.level);
    if (below !== undefined) return [index, ...below];
  }
  return undefined;
}

test('HeadingPaths leads as a plain search does', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const line = fc.tuple(fc.integer({ min: 1, max: 6 }), name);
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 20 }),
      fc.array(name, { minLength: 1, maxLength: 7 }),
      (lines, names) => {
        const { headings } = withHeadings(
          ...lines.map(([level, text]) => `${'#'.repeat(level)} ${text}`),
        );
        const found = new HeadingPaths(headings).along(`#${names.join('#')}`);
        expect(found).toEqual(plainSearch(headings, names) ?? []);
      },
    ),
    { numRuns: 500 },
  );
});

describe('findBlockId', () => {
  const block = { id: 'Quote-1', range: { start: 0, end: 9 }, idRange: { start: 1, end: 8 } };
  const facts: NoteFacts = { ...linkFacts([]), blockIds: [block] };
  it.each(['quote-1', '#^quote-1', '^QUOTE-1'])('L51 finds %j whatever its case', (id) => {
    expect(findBlockId(facts, id)).toBe(block);
  });
  it('finds nothing for an unknown id', () => {
    expect(findBlockId(facts, '#^quote')).toBeUndefined();
  });
});
