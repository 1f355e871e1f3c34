import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { applyEdits } from '../text/text-edit.ts';
import { parseFrontmatter } from './frontmatter.ts';
import { removeProperty, setProperty } from './set-property.ts';

function set(text: string, key: string, value: PropertyValue): string {
  return applyEdits(text, setProperty(text, key, value));
}

function entriesOf(text: string): [string, PropertyValue][] {
  const properties = parseFrontmatter(text)?.frontmatter.properties ?? [];
  return properties.map(({ key, value }) => [key, value]);
}

/** A block with a marker line around it, so that a row shows only what matters. */
const note = (block: string) => `---\nfirst: 1\n${block}last: 2\n---\nbody`;

describe('an existing property', () => {
  const rows: [name: string, before: string, value: PropertyValue, after: string][] = [
    ['takes a new value', 'k: a\n', 'b', 'k: b\n'],
    ['F18: keeps its comment', 'k: a  # c\n', 'b', 'k: b  # c\n'],
    ['keeps double quotes', 'k: "a"\n', 'b', 'k: "b"\n'],
    ['keeps single quotes', "k: 'a'\n", "it's", "k: 'it''s'\n"],
    ['drops quotes that would make a number a string', 'k: "a"\n', 5, 'k: 5\n'],
    ['gains quotes where it needs them', 'k: a\n', 'true', 'k: "true"\n'],
    ['F14 quotes a wikilink', 'k: a\n', '[[X]]', 'k: "[[X]]"\n'],
    ['is emptied', 'k: a # c\n', null, 'k: # c\n'],
    ['is filled', 'k:\n', 'a', 'k: a\n'],
    ['is filled before a comment', 'k: # c\n', 'a', 'k: a # c\n'],
    ['keeps trailing spaces', 'k: \n', 'a', 'k: a \n'],
    ['becomes a list', 'k: a # c\n', ['x', 'y'], 'k: # c\n  - x\n  - y\n'],
    ['becomes a list from nothing', 'k:\n', ['x'], 'k:\n  - x\n'],
    ['stops being a list', 'k: # c\n  - x\n  - y\n', 'a', 'k: a # c\n'],
    ['becomes an empty list', 'k:\n  - x\n', [], 'k: []\n'],
    ['fills an empty list in the style of the app', 'k: []\n', ['x'], 'k:\n  - x\n'],
    ['becomes several lines', 'k: a # c\n', 'x\ny', 'k: |- # c\n  x\n  y\n'],
    ['stops being several lines', 'k: |\n  x\n  y\n', 'a', 'k: a\n'],
    ['keeps its name as written', 'K: a\n', 'b', 'K: b\n'],
    ['becomes a map', 'k: a\n', { a: 1, b: ['x'] }, 'k:\n  a: 1\n  b:\n    - x\n'],
    ['loses an anchor with its value', 'k: &x a\n', 'b', 'k: b\n'],
  ];
  it.each(rows)('%s', (_, before, value, after) => {
    expect(set(note(before), 'k', value)).toBe(note(after));
    const crlf = (text: string) => `\ufeff${note(text).replaceAll('\n', '\r\n')}`;
    expect(set(crlf(before), 'k', value)).toBe(crlf(after));
  });

  const lists: [name: string, before: string, value: PropertyValue[], after: string][] = [
    ['adds at the end', 'k:\n- a # c\n- b\n', ['a', 'b', 'x'], 'k:\n- a # c\n- b\n- x\n'],
    ['adds at the start', 'k:\n    - a\n', ['x', 'a'], 'k:\n    - x\n    - a\n'],
    [
      'adds in the middle',
      'k:\n  - "a"\n  # c\n  - b\n',
      ['a', 'x', 'b'],
      'k:\n  - "a"\n  - x\n  # c\n  - b\n',
    ],
    ['removes one', "k:\n  - 'a'\n  - b # c\n  -   d\n", ['a', 'd'], "k:\n  - 'a'\n  -   d\n"],
    [
      'removes several',
      'k:\n  - a\n  - b\n  - "c"\n  - d\n  - e\n',
      ['a', 'c', 'e'],
      'k:\n  - a\n  - "c"\n  - e\n',
    ],
    ['replaces one', 'k:\n  - "a" # c\n  - b\n', ['x', 'b'], 'k:\n  - "x" # c\n  - b\n'],
    ['replaces all', 'k:\n- a\n- b\n', ['x'], 'k:\n- x\n'],
    ['fills an empty entry', 'k:\n  -\n  - b\n', ['x', 'b'], 'k:\n  - x\n  - b\n'],
    ['adds a list', 'k:\n  - a\n', ['a', ['x', 'y']], 'k:\n  - a\n  - - x\n    - y\n'],
    ['quotes a wikilink', 'k:\n  - a\n', ['a', '[[X]]'], 'k:\n  - a\n  - "[[X]]"\n'],
    ['F13 stays in its brackets', "k: [ 'a', b ] # c\n", ['a', 'x y'], "k: [ 'a', x y ] # c\n"],
    ['grows in its brackets', 'k: [a,b]\n', ['a', 'b', '[[X]]', 1], 'k: [a,b,"[[X]]",1]\n'],
    [
      'grows in brackets over several lines',
      'k: [\n  a,\n  b\n  ]\n',
      ['a', 'b', 'c'],
      'k: [\n  a,\n  b,\n  c\n  ]\n',
    ],
    ['is written anew where a tag is in the way', 'k:\n  - !!str 1\n', [2], 'k:\n  - 2\n'],
    ['shrinks in its brackets', 'k: [a, b, c]\n', ['b'], 'k: [b]\n'],
  ];
  it.each(lists)('a list %s', (_, before, value, after) => {
    expect(set(note(before), 'k', value)).toBe(note(after));
    const crlf = (text: string) => note(text).replaceAll('\n', '\r\n');
    expect(set(crlf(before), 'k', value)).toBe(crlf(after));
  });

  const equal: [block: string, value: PropertyValue][] = [
    ['k: "a"\n', 'a'],
    ['k: 0x1F\n', 31],
    ['k: [a,  b]\n', ['a', 'b']],
    ['k:\n', null],
    ['k: {b: 1, a: 2}\n', { a: 2, b: 1 }],
    ['k: .nan\n', Number.NaN],
  ];
  it.each(equal)('%j is left alone when it is set to %j', (block, value) => {
    expect(setProperty(note(block), 'K', value)).toEqual([]);
  });
});

describe('a new property', () => {
  const rows: [name: string, before: string, value: PropertyValue, after: string][] = [
    ['goes to the end', '---\na: 1\n---\nbody', 'x', '---\na: 1\nk: x\n---\nbody'],
    ['goes after comments', '---\na: 1\n# c\n---', 'x', '---\na: 1\n# c\nk: x\n---'],
    ['goes into an empty block', '---\n---', 'x', '---\nk: x\n---'],
    ['follows the indentation', '---\n  a: 1\n---\n', ['x'], '---\n  a: 1\n  k:\n    - x\n---\n'],
    ['makes a block', 'body', 'x', '---\nk: x\n---\nbody'],
    ['makes a block in an empty note', '', 'x', '---\nk: x\n---\n'],
    [
      'makes a block after a byte order mark',
      '\ufeffa\r\nb',
      'x',
      '\ufeff---\r\nk: x\r\n---\r\na\r\nb',
    ],
    [
      'makes a block before one that is none',
      '\n---\na: 1\n---\n',
      'x',
      '---\nk: x\n---\n\n---\na: 1\n---\n',
    ],
    ['keeps CRLF', '---\r\na: 1\r\n---\r\n', ['x'], '---\r\na: 1\r\nk:\r\n  - x\r\n---\r\n'],
    ['keeps JSON', '---\n{"a": 1}\n---\n', 'x', '---\n{"a": 1, "k": "x"}\n---\n'],
    [
      'keeps JSON on lines',
      '---\n{\n  "a": 1,\n  "b": 2\n}\n---\n',
      [1],
      '---\n{\n  "a": 1,\n  "b": 2,\n  "k": [1]\n}\n---\n',
    ],
    ['fills empty braces', '---\n{}\n---\n', 'x', '---\n{"k": "x"}\n---\n'],
    ['is empty', '---\na: 1\n---\n', null, '---\na: 1\nk:\n---\n'],
    ['is an empty list', '---\na: 1\n---\n', [], '---\na: 1\nk: []\n---\n'],
    [
      'is a list of links',
      '---\na: 1\n---\n',
      ['[[A]]', 'b'],
      '---\na: 1\nk:\n  - "[[A]]"\n  - b\n---\n',
    ],
    [
      'is long and stays on its line',
      '---\na: 1\n---\n',
      'word '.repeat(50).trim(),
      `---\na: 1\nk: ${'word '.repeat(50).trim()}\n---\n`,
    ],
  ];
  it.each(rows)('%s', (_, before, value, after) => {
    expect(set(before, 'k', value)).toBe(after);
  });
});

describe('removing', () => {
  const rows: [name: string, before: string, after: string][] = [
    [
      'takes the lines of the property',
      '---\na: 1\nK: [x] # c\nb: 2\n---\n',
      '---\na: 1\nb: 2\n---\n',
    ],
    [
      'takes a whole list',
      '---\nk:\n  - x\n  - y # c\n\n# d\nb: 2\n---\n',
      '---\n\n# d\nb: 2\n---\n',
    ],
    ['takes the block with the last one', '---\nk: 1\n---\nbody', 'body'],
    ['takes the block to the end of the text', '\ufeff---\r\nk: 1\r\n---', '\ufeff'],
    ['leaves a block that has comments', '---\n# c\nk: 1\n---\nbody', '---\n# c\n---\nbody'],
    [
      'leaves a block where the body would become one',
      '---\nk: 1\n---\n---\na: 1\n---\n',
      '---\n---\n---\na: 1\n---\n',
    ],
    ['changes nothing when there is none', '---\na: 1\n---\n', '---\na: 1\n---\n'],
    ['changes nothing without a block', 'body', 'body'],
    ['takes the first from JSON', '---\n{"k": 1, "b": 2}\n---\n', '---\n{"b": 2}\n---\n'],
    ['takes the last from JSON', '---\n{"a": 1,\n "k": 2}\n---\n', '---\n{"a": 1}\n---\n'],
    ['takes the block with the last of JSON', '---\n{"k": 1}\n---\nbody', 'body'],
    ['takes an explicit key', '---\n? k\n: 1\nb: 2\n---\n', '---\nb: 2\n---\n'],
  ];
  it.each(rows)('%s', (_, before, after) => {
    expect(applyEdits(before, removeProperty(before, 'k'))).toBe(after);
  });
});

describe('what cannot be edited', () => {
  const rows: [name: string, text: string][] = [
    ['F06 a name that occurs twice', '---\na: 1\na: 2\n---\n'],
    ['F15 a colon in a plain value', '---\ntitle: secret: bar\n---\n'],
    ['a list', '---\n- a\n---\n'],
    ['an anchor that others need', '---\nk: &x a\nb: *x\n---\n'],
  ];
  it.each(rows)('is refused: %s', (_, text) => {
    for (const act of [() => setProperty(text, 'k', 1), () => removeProperty(text, 'k')]) {
      expect(act).toThrow(expect.objectContaining({ code: 'invalid_input' }));
      expect(act).not.toThrow(/secret/);
    }
  });

  it('a name is no longer than YAML can read', () => {
    const longest = 'k'.repeat(limits.propertyNameCharsMax);
    expect(parse(set('', longest, 1).replaceAll('---\n', ''))).toEqual({ [longest]: 1 });
    expect(() => setProperty('', `${longest}k`, 1)).toThrow(/at most/);
  });

  it.each(['', ' ', 'a\nb'])('a name must be one line of text, unlike %j', (key) => {
    expect(() => setProperty('', key, 1)).toThrow(VaultError);
  });
});

describe('in any block', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'a',
      'b c',
      '[[X]]',
      'true',
      '12',
      '- x',
      'a: b',
      '#t',
      "it's",
      '"q"',
      'x\ny',
      'x\n\n',
      '\n',
      ' ',
      '\t',
      'a\r\nb',
      '',
      '---',
      '|',
      '日本',
      '\u2028',
    ),
  );
  const scalar = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
  const value: fc.Arbitrary<PropertyValue> = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 4 }),
    fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 }),
    fc.dictionary(
      fc.constantFrom('x', 'y', '__proto__', 'a b'),
      fc.oneof(scalar, fc.array(scalar)),
      { maxKeys: 3, noNullPrototype: true },
    ),
  );
  /** A property as someone may have written it: its text up to the line end. */
  const written = fc.constantFrom(
    ' plain',
    ' "double"',
    " 'single'",
    ' 12',
    '',
    ' ',
    ' # comment',
    ' value # comment',
    ' "value"   # comment',
    ' [a, b]',
    ' [\'a\',  "b", c] # comment',
    ' []',
    ' [\n    a, # one\n    b\n  ]',
    '\n  - a\n  - b',
    '\n- a # one\n# between\n- "b"\n- c',
    '\n    -   a\n    - d\n\n    - c',
    ' # comment\n  - a\n  # between\n  - d # comment',
    ' |\n  one\n  two',
    ' >-\n  one\n  two',
    ' |+\n  one\n',
    ' plain\n  continued',
    ' "double\n  continued" # comment',
    '\n  x: 1\n  y: [2]',
    '\n  - x: 1\n    y: 2\n  - - z',
    ' {x: 1, y: "2"}',
    ' !!str 12',
    '\n  on the next line',
  );
  const block = fc
    .record({
      values: fc.array(fc.tuple(written, fc.constantFrom('', '# own line\n', '\n')), {
        maxLength: 4,
      }),
      names: fc.shuffledSubarray(['k', 'Tags', 'a b', '"quoted"', 'z'], { minLength: 4 }),
      eol: fc.constantFrom('\n', '\r\n'),
      bom: fc.constantFrom('', '\ufeff'),
      closing: fc.constantFrom(
        '---',
        '---  ',
        '---\n',
        '---\nbody\n',
        '---\n\n# Title\n---\nx: y\n---',
      ),
      indent: fc.constantFrom('', '', ' '),
    })
    .map(({ values, names, eol, bom, closing, indent }) => {
      const lines = values.map(([value, after], i) => `${names[i]}:${value}\n${after}`).join('');
      const yaml = indent === '' ? lines : lines.replace(/^(?=.)/gm, indent);
      return `${bom}${`---\n${yaml}${closing}`.replaceAll('\n', eol)}`;
    });
  const any = fc.oneof(block, fc.constantFrom('', 'body', '\ufeffbody\r\nmore', '---\n'));
  const key = fc.constantFrom(
    'k',
    'tags',
    'A b',
    'quoted',
    'new',
    'x: y',
    '#',
    '12',
    'null',
    '__proto__',
    '- a',
  );

  it('a property that was set reads back, and nothing else changes', () => {
    fc.assert(
      fc.property(any, key, value, (before, key, value) => {
        const edits = setProperty(before, key, value);
        const after = applyEdits(before, edits);
        const old = entriesOf(before);
        const at = old.findIndex(([name]) => name.toLowerCase() === key.toLowerCase());
        const expected =
          at === -1
            ? [...old, [key, value]]
            : old.map(([name, was], index) => [name, index === at ? value : was]);
        expect(entriesOf(after)).toEqual(expected);
        checkElsewhere(before, edits, at);
        const comments = (text: string) =>
          text.split(/\r?\n/).filter((line) => /^\s*# own/.test(line));
        expect(comments(after).slice(0, comments(before).length)).toEqual(comments(before));
        expect(setProperty(after, key, value)).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  it('a property that was added and removed leaves every byte as it was', () => {
    fc.assert(
      fc.property(any, value, (before, value) => {
        const after = set(before, 'new', value);
        const restored = applyEdits(after, removeProperty(after, 'new'));
        const empty =
          entriesOf(before).length === 0 && before.replace('\ufeff', '').startsWith('---');
        if (!empty) expect(restored).toBe(before);
      }),
      { numRuns: 700 },
    );
  });

  /** Edits of an existing property lie inside its lines; a new one is inserted, nothing removed. */
  function checkElsewhere(before: string, edits: ReturnType<typeof setProperty>, at: number): void {
    const lines = parseFrontmatter(before)?.frontmatter.properties?.[at]?.range;
    for (const { range } of edits) {
      if (lines === undefined) expect(range.start).toBe(range.end);
      else {
        expect(range.start).toBeGreaterThanOrEqual(lines.start - 4);
        expect(range.end).toBeLessThanOrEqual(lines.end + 2);
      }
    }
  }
});
