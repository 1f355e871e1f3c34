import fc from 'fast-check';
import matter from 'gray-matter';
import { describe, expect, it } from 'vitest';
import type { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { withPortableProperties } from './portable-properties.ts';
import { openProperties } from './property-document.ts';

type Properties = Readonly<Record<string, PropertyValue>>;

describe('withPortableProperties', () => {
  it.each<[string, string, Properties, string]>([
    ['none leave the text as it is', '---\nb: 2\n---\nText', {}, '---\nb: 2\n---\nText\n'],
    [
      'come before the text',
      'Text',
      { tags: ['devlog'], count: 1 },
      '---\ntags:\n  - devlog\ncount: 1\n---\nText\n',
    ],
    [
      'stand in quotes where they look like a date',
      '',
      { d: '2026-02-20' },
      "---\nd: '2026-02-20'\n---\n\n",
    ],
    [
      'win over those of the text',
      '---\na: 1\nb: 2\n---\nText',
      { b: 3, c: 4 },
      '---\na: 1\nb: 3\nc: 4\n---\nText\n',
    ],
    [
      'end their lines as the text does',
      'A\r\nB\r\n',
      { a: 1 },
      '---\r\na: 1\r\n---\r\nA\r\nB\r\n',
    ],
    [
      'stand before a rule that only looks like a block',
      '---\nText',
      { a: 1 },
      '---\na: 1\n---\n---\nText\n',
    ],
    ['differ in case alone and are two', '', { a: 1, A: 2 }, '---\na: 1\nA: 2\n---\n\n'],
  ])('properties that %s', (_name, text, properties, expected) => {
    expect(withPortableProperties(text, properties)).toBe(expected);
  });

  const nested = (levels: number): PropertyValue => (levels === 0 ? 1 : [nested(levels - 1)]);

  it.each<[string, string, Properties, string]>([
    ['a text whose own block is broken', '---\na: [\n---\n', { b: 1 }, 'invalid_input'],
    ['a name of two lines', '', { 'a\nb': 1 }, 'invalid_input'],
    ['a name of nothing', '', { ' ': 1 }, 'invalid_input'],
    ['values that nest too deep', '', { a: nested(200) }, 'invalid_input'],
  ])('refuses %s', (_name, text, properties, code) => {
    expect(() => withPortableProperties(text, properties)).toThrow(
      expect.objectContaining({ code }) as VaultError,
    );
  });
});

const odd = fc.constantFrom(
  ...['2026-02-20', '2026-2-3 10:00', '2001-12-14t21:59:43.10-05:00', '1:30', '190:20:30', '0777'],
  ...['0o17', '0x1f', '0b11', '1_000', '1.', '.5', '1e3', '.inf', '-.INF', '.NaN', '~', 'null'],
  ...['Null', 'yes', 'No', 'on', 'y', 'TRUE', 'False', '', ' ', ' a', 'a ', '---', '...', '- a'],
  ...['a: b', 'a #b', '#a', '[[Link]]', '{a', '*a', '&a', '!a', '%a', '@a', '`a`', '|', '>', '? a'],
  ...[
    '<<',
    '=',
    '"',
    "'",
    "it's",
    'a\nb',
    'a\n---\nb',
    '\n',
    'a\n\n',
    '\ta',
    'a\tb',
    '\r',
    '\u0085',
  ],
  ...['\u007f', '\u2028', '\ufeff', '\ufffe', '\u{1f600}', 'key:', ':', '-', 'a\\b', '\u0000'],
);
const text = fc.oneof(odd, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const name = text.filter((key) => key !== '__proto__');
const scalar = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.letrec<{ value: PropertyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const topName = name.filter((key) => key.trim() !== '' && !/[\r\n]/.test(key));

describe('what is written', () => {
  it('is the same data for gray-matter and for us', () => {
    fc.assert(
      fc.property(
        fc.dictionary(topName, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
        fc.string(),
        (properties, body) => {
          fc.pre(!/^---/.test(body));
          const written = withPortableProperties(body, properties);
          expect(matter(written).data).toEqual(properties);
          const ours = openProperties(written)?.properties.map(({ key, value }) => [key, value]);
          expect(Object.fromEntries(ours ?? [])).toEqual(properties);
        },
      ),
      { numRuns: 300 },
    );
  });
});
