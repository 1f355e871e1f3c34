import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PropertyValue } from '../facts/facts.ts';
import { parseFrontmatter } from './frontmatter.ts';

function parse(text: string): NonNullable<ReturnType<typeof parseFrontmatter>> {
  const facts = parseFrontmatter(text);
  if (facts === undefined) throw new Error('no block of properties');
  return facts;
}

/** The properties of a note as one object; undefined when it has none. */
function valuesOf(text: string): Record<string, PropertyValue> | undefined {
  const properties = parse(text).frontmatter.properties;
  return properties && Object.fromEntries(properties.map(({ key, value }) => [key, value]));
}

describe('recognition of the block', () => {
  const rows: [name: string, text: string, values: Record<string, PropertyValue> | undefined][] = [
    ['F01 an empty block has no properties', '---\n---', undefined],
    ['F01 nor has one of blank lines', '---\n\n---\n', undefined],
    ['an empty map is no properties', '---\n{}\n---\n', undefined],
    ['a comment is no property', '---\n# c\n---\n', undefined],
    [
      'F02 blank lines are fine',
      '---\n\nkanban-plugin: basic\n\n---\n',
      { 'kanban-plugin': 'basic' },
    ],
    ['F08 spaces may follow the closing line', '---\na: 1\n---   \nbody', { a: 1 }],
    ['F09 the text may end with the closing line', '---\na: 1\n---', { a: 1 }],
    ['F10 a byte order mark may come first', '\ufeff---\na: 1\n---\n', { a: 1 }],
    ['F11 lines may end with CRLF', '---\r\na: 1\r\nb: x\r\n---\r\nbody', { a: 1, b: 'x' }],
    ['a longer line of dashes does not close', '---\na: 1\n----\n---\n', undefined],
  ];
  it.each(rows)('%s', (_, text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  const none: [name: string, text: string][] = [
    ['F07 a blank line before it', '\n---\na: 1\n---\n'],
    ['spaces after the opening line', '--- \na: 1\n---\n'],
    ['no closing line', '---\na: 1\n'],
    ['an indented closing line', '---\na: 1\n ---\n'],
    ['four dashes', '----\na: 1\n---\n'],
    ['nothing', ''],
    ['only the opening', '---'],
  ];
  it.each(none)('there is no block: %s', (_, text) => {
    expect(parseFrontmatter(text)).toBeUndefined();
  });

  it('F12 has the ranges that the app gives', () => {
    const text = '---\na: 1\nb: 2\n---\nbody';
    const { range, content } = parse(text).frontmatter;
    expect(range).toEqual({ start: 0, end: text.indexOf('\nbody') });
    expect(content).toEqual({ start: 4, end: text.indexOf('---\nbody') });
    expect(text.slice(content.start, content.end)).toBe('a: 1\nb: 2\n');
  });
});

describe('values', () => {
  const rows: [yaml: string, value: PropertyValue, id?: string][] = [
    ['2024-07-21', '2024-07-21', 'F03: '],
    ['2024-07-21T12:37:00', '2024-07-21T12:37:00', 'F03: '],
    ['', null, 'F04: '],
    [' ', null, 'F04: '],
    ['\n  -\n  -', [null, null], 'F05: '],
    ['{{date}}', { '{ date }': null }, 'F16: '],
    ['yes', 'yes', 'F17: '],
    ['017', 17, 'F17: '],
    ['0o17', 15],
    ['0x1F', 31],
    ['1_000', '1_000'],
    ['-0', -0],
    ['.inf', Infinity],
    ['-.inf', -Infinity],
    ['~', null],
    ['123456789012345678901234567890', 1.2345678901234568e29],
    ['"1"', '1'],
    ['"a\\tb \\u263a"', 'a\tb ☺'],
    ["'it''s'", "it's"],
    ['|-\n  a\n  b', 'a\nb'],
    ['>\n  a\n  b', 'a b\n'],
    ['{a: [1, {b: c}]}', { a: [1, { b: 'c' }] }],
    // L28
    ['[[x]]', [['x']]],
    ['!!str 1', '1'],
    ['!!timestamp 2024-01-01', '2024-01-01'],
    ['!custom x', 'x'],
    ['&x [1]\nl: *x', [1]],
    ['[&x 1, *x, &x 2, *x]', [1, 1, 2, 2]],
    ['[&x [&y 1], &y 2, *x, *y]', [[1], 2, [1], 2]],
    ['{a: &x b, *x : c}', { a: 'b', b: 'c' }],
  ];
  it.each(rows.map(([yaml, value, id = '']) => ({ yaml, value, id })))(
    '$id$yaml is $value',
    ({ yaml, value }) => {
      expect(valuesOf(`---\nk: ${yaml}\n---\n`)?.['k']).toEqual(value);
    },
  );

  const keys: [yaml: string, key: string][] = [
    ['creation date: x', 'creation date'],
    ['"quoted: key": x', 'quoted: key'],
    ['12: x', '12'],
    ['null: x', ''],
    ['true: x', 'true'],
    ['ключ: x', 'ключ'],
    ['a:b: x', 'a:b'],
    ['? k\n: x', 'k'],
    ['CAPITAL: x', 'CAPITAL'],
    ['<<: x', '<<'],
    ['__proto__: x', '__proto__'],
  ];
  it.each(keys)('the name in %j is %j', (yaml, key) => {
    const [property] = parse(`---\n${yaml}\n---\n`).frontmatter.properties ?? [];
    expect(property).toMatchObject({ key, value: 'x' });
  });

  it('a key __proto__ inside a value is harmless', () => {
    const value = valuesOf('---\nk:\n  __proto__:\n    polluted: 1\n---\n')?.['k'];
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('ranges', () => {
  /** Each property as [lines, name, value], cut from the text. */
  const check = (block: string, expected: [string, string, string][]) => {
    for (const start of ['---\n', '\ufeff---\n']) {
      const text = `${start}${block}---\nbody`;
      const cut = (range: { start: number; end: number }) => text.slice(range.start, range.end);
      const properties = parse(text).frontmatter.properties ?? [];
      expect(properties.map((p) => [cut(p.range), cut(p.keyRange), cut(p.valueRange)])).toEqual(
        expected,
      );
    }
  };
  const rows: [block: string, expected: [string, string, string][]][] = [
    ['a: b  # c\n', [['a: b  # c', 'a', 'b']]],
    [
      'a: \nb:\n',
      [
        ['a: ', 'a', ''],
        ['b:', 'b', ''],
      ],
    ],
    ['a: "q"\r\n', [['a: "q"', 'a', '"q"']]],
    [
      'l:\n  - a\n  - b # c\n\n# d\nk: v\n',
      [
        ['l:\n  - a\n  - b # c', 'l', '- a\n  - b'],
        ['k: v', 'k', 'v'],
      ],
    ],
    [
      'k: |\n  x\n  y\n\nz: 1\n',
      [
        ['k: |\n  x\n  y', 'k', '|\n  x\n  y'],
        ['z: 1', 'z', '1'],
      ],
    ],
    [
      'm:\n  a: 1\n  b:\nz: 1\n',
      [
        ['m:\n  a: 1\n  b:', 'm', 'a: 1\n  b:'],
        ['z: 1', 'z', '1'],
      ],
    ],
    [
      '{"a": 1, "b": [2]}\n',
      [
        ['"a": 1', '"a"', '1'],
        ['"b": [2]', '"b"', '[2]'],
      ],
    ],
    ['a: # c\n', [['a: # c', 'a', '']]],
  ];
  it.each(rows)('of %j', (block, expected) => check(block, expected));
});

describe('invalid blocks', () => {
  const rows: [name: string, block: string][] = [
    ['F06 a name that occurs twice', 'a: 1\na: 2\n'],
    ['a name that occurs twice deeper down', 'k: {a: 1, a: 2}\n'],
    ['F15 a colon in a plain value', 'title: Foo: bar\n'],
    ['a list instead of properties', '- a\n'],
    ['a word', 'word\n'],
    ['a quote that does not end', 'a: "secret\n'],
    ['a tab as indentation', 'a:\n\t- secret\n'],
    ['an alias without anchor', 'a: *secret\n'],
    ['a name that is an alias without anchor', '*secret : 1\n'],
    ['two documents', 'a: secret\n...\nb: 1\n'],
    ['aliases that contain themselves', 'a: &a [*a]\n'],
    ['aliases that multiply', bomb()],
    ['endless nesting', `a: ${'['.repeat(20_000)}\n`],
    ['deep nesting', `a: ${'['.repeat(200)}${']'.repeat(200)}\n`],
  ];
  it.each(rows)('%s: no properties, one problem', (_, block) => {
    const text = `---\n${block}---\nbody`;
    const { frontmatter, problems, propertyLinks, propertyTags, aliases } = parse(text);
    expect(frontmatter.properties).toBeUndefined();
    expect([...propertyLinks, ...propertyTags, ...aliases]).toEqual([]);
    expect(problems).toHaveLength(1);
    const [problem] = problems;
    expect(['invalid_properties', 'too_deep']).toContain(problem?.code);
    expect(problem?.message).not.toMatch(/secret|Foo/);
    expect(problem?.range.start).toBeGreaterThanOrEqual(frontmatter.content.start);
    expect(problem?.range.end).toBeLessThanOrEqual(frontmatter.content.end);
  });

  // The YAML library would recurse, and where V8 then compiles a regular expression without room on
  // the stack, the whole process ends.
  const nestings: [name: string, nest: (depth: number) => string][] = [
    ['lists in brackets', (depth) => `a: ${'['.repeat(depth)}1${']'.repeat(depth)}\n`],
    ['brackets that are not closed', (depth) => `a: ${'['.repeat(depth)}\n`],
    ['maps in braces', (depth) => `a: ${'{a: '.repeat(depth)}1${'}'.repeat(depth)}\n`],
    ['maps as names', (depth) => `${'{'.repeat(depth)}a${'}'.repeat(depth)}: 1\n`],
    ['dashes', (depth) => `a:\n  ${'- '.repeat(depth)}b\n`],
    ['question marks', (depth) => `${'? '.repeat(depth)}b\n`],
    ['names in quotes', (depth) => `${'"a": '.repeat(depth)}b\n`],
    ['brackets on lines', (depth) => `a:${'\n ['.repeat(depth)}\n`],
  ];
  it.each(nestings)('endless %s are too deep', (_, nest) => {
    const { frontmatter, problems } = parse(`---\n${nest(8_000)}---\nbody`);
    expect(frontmatter.properties).toBeUndefined();
    expect(problems.map(({ code }) => code)).toEqual(['too_deep']);
  });

  it('reads a hundred lists, maps and dashes in each other', () => {
    for (const [, nest] of [nestings[0], nestings[2], nestings[4]] as typeof nestings) {
      expect(parse(`---\n${nest(100)}---\nbody`).problems).toEqual([]);
      expect(parse(`---\n${nest(101)}---\nbody`).problems).toHaveLength(1);
    }
  });

  function bomb(): string {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 10; i++)
      lines.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}*a${i - 1}]`);
    return `${lines.join('\n')}\n`;
  }
});

describe('tags', () => {
  const rows: [name: string, block: string, tags: string[]][] = [
    ['T15 a list in brackets', 'tags: [a, b]', ['#a', '#b']],
    ['T15 a list', 'tags:\n  - a\n  - b', ['#a', '#b']],
    ['T16 a single string', 'tags: single', ['#single']],
    ['T17 commas', 'tags: a, b', []],
    ['an entry with a space', 'tags: [a, b c]', ['#a']],
    ['T18 an empty list', 'tags: []', []],
    ['T18 nothing', 'tags:', []],
    ['T19 the old name', 'tag: x', []],
    ['T20 JSON', '{"tags":"journal"}', ['#journal']],
    ['T24 with a hash', 'tags: ["#pkm"]', ['#pkm']],
    ['entries that are no strings', 'tags: [1984, true, null, [x], {a: b}, y]', ['#y']],
    ['another case', 'Tags: [a]', ['#a']],
    ['only a hash', 'tags: ["#"]', []],
    ['a name that merely looks like an entry of the list', 'tags.0: x', []],
    ['duplicates are kept', 'tags: [a, a]', ['#a', '#a']],
  ];
  it.each(rows)('%s', (_, block, tags) => {
    expect(parse(`---\n${block}\n---\n`).propertyTags.map(({ tag }) => tag)).toEqual(tags);
  });

  it('have the range of the value as written', () => {
    const text = '---\ntags:\n  - "#a"\n  - b\n---\n';
    const cut = parse(text).propertyTags.map(({ range }) => text.slice(range.start, range.end));
    expect(cut).toEqual(['"#a"', 'b']);
  });
});

describe('aliases', () => {
  const rows: [block: string, aliases: string[]][] = [
    ['aliases:\n  - YAML Alias 1\n  - YAML Alias 2', ['YAML Alias 1', 'YAML Alias 2']],
    ['aliases: one, two', ['one, two']],
    ['aliases:', []],
    ['alias: x', []],
    ['aliases: [2, "", a]', ['a']],
  ];
  it.each(rows)('of %j', (block, aliases) => {
    expect(parse(`---\n${block}\n---\n`).aliases.map(({ text }) => text)).toEqual(aliases);
  });
});

describe('links', () => {
  /** Each link as [key, link, the link as written, the path as written]. */
  const check = (block: string, expected: [string, string, string, string][]) => {
    const text = `---\n${block}\n---\nbody`;
    const links = parse(text).propertyLinks;
    expect(
      links.map(({ key, link, range, pathRange }) => [
        key,
        link,
        text.slice(range.start, range.end),
        text.slice(pathRange.start, pathRange.end),
      ]),
    ).toEqual(expected);
  };
  const rows: [name: string, block: string, expected: [string, string, string, string][]][] = [
    ['L26 a quoted value', 'k: "[[x]]"', [['k', 'x', '[[x]]', 'x']]],
    [
      'L27 a list',
      'k:\n  - "[[a]]"\n  - "[[b|c]]"',
      [
        ['k.0', 'a', '[[a]]', 'a'],
        ['k.1', 'b', '[[b|c]]', 'b'],
      ],
    ],
    ['L28 no quotes: a list in a list', 'k: [[x]]', []],
    [
      'L29 a heading of the note itself',
      'k: "[[#A heading]]"',
      [['k', '#A heading', '[[#A heading]]', '']],
    ],
    ['a Markdown link', 'k: "[t](My%20n.md)"', [['k', 'My n.md', '[t](My%20n.md)', 'My%20n.md']]],
    ['a plain Markdown link is a flow list and text: not YAML', 'k: [t](n.md)', []],
    ['a map', 'a:\n  b: "[[x]]"', [['a.b', 'x', '[[x]]', 'x']]],
    ['a list in braces', '{"a": ["[[x]]"]}', [['a.0', 'x', '[[x]]', 'x']]],
    ['text around it', 'k: "see [[x]]"', []],
    ['single quotes with an escape', "k: '[[it''s|me]]'", [['k', "it's", "[[it''s|me]]", "it''s"]]],
    [
      'double quotes with an escape',
      'k: "[[a \\"b\\"#h]]"',
      [['k', 'a "b"#h', '[[a \\"b\\"#h]]', 'a \\"b\\"']],
    ],
    ['a block scalar', 'k: |-\n  [[x]]', [['k', 'x', '[[x]]', 'x']]],
    ['a folded line', 'k: "[[a\n  b]]"', [['k', 'a b', '[[a\n  b]]', 'a\n  b']]],
    ['an alias does not repeat the link', 'a: &l "[[x]]"\nb: *l', [['a', 'x', '[[x]]', 'x']]],
  ];
  it.each(rows)('%s', (_, block, expected) => check(block, expected));

  it('L29 shows the heading', () => {
    const [link] = parse('---\nk: "[[#A heading]]"\n---\n').propertyLinks;
    expect(link?.displayText).toBe('A heading');
  });
});

it('never throws, whatever the text', () => {
  const piece = fc.constantFrom(
    '---',
    '\n',
    '\r\n',
    ': ',
    '- ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    '&a ',
    '*a',
    '!!map ',
    '|',
    '>',
    '? ',
    '#',
    '\t',
    ' ',
    '  ',
    'a',
    '[[x]]',
    '\\',
    '%',
    '\ufeff',
    '\u0000',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 20 }).map((pieces) => `---\n${pieces.join('')}\n---\n`),
  );
  fc.assert(
    fc.property(text, (text) => {
      const facts = parseFrontmatter(text);
      for (const { range } of facts?.frontmatter.properties ?? []) {
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 3000 },
  );
});
