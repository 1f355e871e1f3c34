import fc from 'fast-check';
import matter from 'gray-matter';
import { describe, expect, it } from 'vitest';
import { counted } from '../../../test/support/counts.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { withPortableProperties } from './portable-properties.ts';

type Properties = Readonly<Record<string, PropertyValue>>;

const words = (count: number): string => 'lorem ipsum '.repeat(count).trim();

const strings = [
  // Words, and what looks like another type in YAML 1.1, in 1.2 or in both.
  ...[
    'word',
    'two words',
    "it's",
    'say "hi"',
    'a\\b',
    'a/b',
    'a-b',
    'a_b',
    'é',
    '日本',
    'a\u00a0b',
  ],
  ...[
    'true',
    'True',
    'FALSE',
    'yes',
    'No',
    'on',
    'OFF',
    'y',
    'N',
    'null',
    'Null',
    '~',
    '',
    '<<',
    '=',
  ],
  ...[
    '5',
    '+5',
    '-5',
    '0',
    '007',
    '0x1F',
    '0b11',
    '1_000',
    '1_',
    '1.5',
    '1.',
    '.5',
    '1e3',
    '1.5e-3',
  ],
  ...[
    '._',
    '._1',
    '1_.',
    '0_7',
    '0b',
    '0x',
    '0b2',
    '+',
    '+_1',
    '.inf',
    '-.inf',
    '.NaN',
    '1:30',
    '1.2.3',
  ],
  ...['2026-02-20', '2026-2-3', '2026-02-20T10:00:00Z', '2026-02-20 10:00', '10:00', '0X1F'],
  // Signs that mean something in YAML.
  ...['- a', '-', '--', '---', '...', '? a', ':', 'a:', 'a: b', 'a:b', '#a', 'a #b', 'a#b', ' #a'],
  ...[
    '[a]',
    '[[Link]]',
    '{a}',
    'a, b',
    '*a',
    '&a',
    '!a',
    '|',
    '>',
    '%a',
    '@a',
    '`a`',
    "'a'",
    '"a"',
  ],
  ...[' a', 'a ', ' ', '  ', 'a  b', '\ta', 'a\tb', 'a\rb', '\u0000', '\u0085', '\u2028', '\ufeff'],
  // Several lines, and lines that are longer than 80 characters.
  ...[
    'a\nb',
    'a\nb\n',
    'a\n\nb',
    '\na',
    '\n\na',
    ' a\nb',
    '\n a\nb',
    'a\n b',
    'a \nb',
    'a\n---\nb',
  ],
  ...[words(6), words(7), words(30), `${words(30)}\n`, `a\n${words(30)}`, `${words(30)}\n\n b\nc`],
  ...[
    ` ${words(30)}`,
    `${words(8)}\n ${words(30)}\n${words(9)}`,
    'x'.repeat(100),
    'x y'.repeat(60),
  ],
  ...[
    `${'x'.repeat(100)}  ${words(9)}`,
    `https://example.com/${'a'.repeat(90)}`,
    `\n${words(20)}\n\nb`,
    `[[${words(9)}]]`,
  ],
];
const others: readonly PropertyValue[] = [
  ...[0, 1, -1, 1.5, 1e21, 1e-7, -5e-324, 123456789012345680000, true, false, null, -0],
  ...[[], {}, [[]], [{}], [[], {}], [1, 'a', null], [[1, 2], [3]], [[[1], 2]]],
  ...[
    { a: 1, b: { c: [1, { d: 'x\ny', e: [] }] } },
    [{ a: 1, b: 2 }, { a: [1] }],
    { '': 1, ' ': 2 },
  ],
  ...[{ 'a: b': 1, '- a': 2, '5': 3, true: 4, 'a\nb': 5, '#': 6 }, { [words(20)]: 1 }],
  ...[{ ['k'.repeat(1100)]: { a: 1 }, ['l'.repeat(1100)]: [1, 2] }],
];

describe('properties and text are written byte for byte as gray-matter writes them', () => {
  it.each(strings)('%j', (text) => {
    const data = { title: text, list: [text, [text]], map: { in: { it: text } }, end: 1 };
    expect(withPortableProperties('Text', data)).toBe(matter.stringify('Text', data));
  });

  it.each(others.map((value) => ({ value })))('$value', ({ value }) => {
    // Copies, because gray-matter writes an object that is there twice as an alias of the first.
    const copy = (): PropertyValue => structuredClone(value);
    const data = { first: copy(), list: [copy(), 'x'], last: copy() };
    expect(withPortableProperties('Text\n', data)).toBe(matter.stringify('Text\n', data));
  });

  it.each<[string, Properties]>([
    ['', {}],
    ['', { a: 1 }],
    ['\n', { a: 1 }],
    ['Text', {}],
    ['a\n\nb\n\n', { a: 1 }],
    ['---\na: 1\n---\nText', { b: 2 }],
    ['---\na: 1\n---\n', { a: 2, b: 'x' }],
    ['---\n---\nText', { b: 2 }],
    ['\ufeffText', { a: 1 }],
    ['\ufeffText', {}],
    ['\ufeff---\na: 1\n---\nText', { b: 1 }],
    ['----\nText', { a: 1 }],
  ])('the text %j with %j', (text, data) => {
    expect(withPortableProperties(text, data)).toBe(matter.stringify(text, data));
  });

  const piece = fc.oneof(
    fc.constantFrom(...strings),
    fc.string({ unit: fc.constantFrom(...' \n-:#\'"[]{}0178_.+eoxabyn\t\u00a0') }),
    fc
      .array(fc.constantFrom('word ', 'x', ' ', '\n', words(3)), { maxLength: 30 })
      .map((all) => all.join('')),
  );

  const same = piece.filter((text) => !isWrittenOtherwise(text));
  const { value } = fc.letrec<{ value: PropertyValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      same,
      fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(same, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));

  it('any text of these signs, in lists and maps', () => {
    fc.assert(
      fc.property(same, value, (text, value) => {
        const data = { k: text, v: value, end: 1 };
        expect(withPortableProperties('Text', data)).toBe(matter.stringify('Text', data));
      }),
      { numRuns: counted({ quick: 300, full: 1_000, soak: 30_000 }) },
    );
  });
});

/** The differences that docs/server.md lists, with what gray-matter would write. */
const differences: readonly [why: string, text: string, ours: string, theirs: string][] = [
  ['Obsidian reads a number', '08', "'08'", '08'],
  ['Obsidian reads a number', '0o17', "'0o17'", '0o17'],
  ['Obsidian reads a number', '+.5', "'+.5'", '+.5'],
  ['a blank line at the end', 'a\n\n', '"a\\n\\n"', '|+\n  a\n'],
  ['a blank line at the end', 'a\n ', '"a\\n "', '|-\n  a\n   '],
  ['an emoji', 'a 🎉', 'a 🎉', '"a \\U0001F389"'],
];

function isWrittenOtherwise(text: string): boolean {
  return /^\+?0\d|^0o|^\+\.\d|(?:^|\n) *\n$|\n +$/.test(text);
}

describe('what gray-matter writes otherwise', () => {
  it.each(differences)('%s: %j', (_why, text, ours, theirs) => {
    const data = { k: text, end: 1 };
    expect(withPortableProperties('Text', data)).toBe(`---\nk: ${ours}\nend: 1\n---\nText\n`);
    expect(matter.stringify('Text', data)).toBe(`---\nk: ${theirs}\nend: 1\n---\nText\n`);
  });

  it.each<[string, string, Properties, string]>([
    [
      'dates of the text stay',
      '---\nd: 2026-02-20\n---\n',
      { a: 1 },
      "---\nd: '2026-02-20'\na: 1\n---\n\n",
    ],
    ['line ends are those of the text', 'a\r\n', { k: 'x' }, '---\r\nk: x\r\n---\r\na\r\n'],
    ['spaces at the very end', '', { a: 'x\ny ' }, '---\na: |-\n  x\n  y \n---\n\n'],
  ])('%s', (_why, text, data, ours) => {
    expect(withPortableProperties(text, data)).toBe(ours);
    expect(matter.stringify(text, data)).not.toBe(ours);
  });
  it('code at the start of the text, which it runs, is text', () => {
    const text = '---js\n{a: 1}\n---\n';
    expect(withPortableProperties(text, { b: 2 })).toBe(`---\nb: 2\n---\n${text}`);
    expect(() => matter.stringify(text, { b: 2 })).toThrow('JavaScript');
  });
});
