import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYamlBlock } from './yaml-block.ts';
import { YamlRefusal } from './yaml-document.ts';
import { parseYamlFast } from './yaml-fast.ts';

/** The slow path's answer, which is the truth. */
function slow(yaml: string): unknown {
  try {
    return parseYamlBlock(yaml, { start: 0, end: yaml.length });
  } catch (error) {
    if (error instanceof YamlRefusal) return 'refused';
    throw error;
  }
}

function fast(yaml: string): unknown {
  return parseYamlFast(yaml, { start: 0, end: yaml.length });
}

function checkSame(yaml: string): void {
  const result = fast(yaml);
  if (result !== undefined) expect(result).toStrictEqual(slow(yaml));
}

describe('the fast path', () => {
  const taken = [
    'title: A note\n',
    'title: A note\r\ntags:\r\n  - a\r\n  - b\r\n',
    '\nkanban-plugin: basic\n\n',
    'a:\nb: \nc:   \n',
    'l:\n  -\n  -\n',
    'l:\n- a\n- b\nk: v\n',
    'l:\n    - a\n\n    -   b  \n',
    'tags: [a, b]\nx: []\ny: [ "q", \'r\', 3 ]\n',
    'k: "[[Note]]"\nl:\n  - "[[A|b]]"\n',
    'k: "" \nj: \'\'\n',
    '# comment\nk: v # comment\n# end\n',
    'creation date: 2024-05-25T15:17:00\nurl: https://example.org/a#b\n',
    'ключ: значение\n标签: 值\n',
    'a: yes\nb: no\nc: on\nd: off\ne: 1_000\nf: 2024-07-21\n',
    'a: 017\nb: 0o17\nc: 0x1F\nd: 1e3\ne: .5\nf: +1\ng: -1.50\nh: 5.\ni: -0\nj: 0\n',
    'a: .inf\nb: -.INF\nc: .nan\nd: .NaN\ne: +.Inf\nf: -.nan\ng: .nAn\n',
    'a: ~\nb: null\nc: Null\nd: NULL\ne: nULL\nf: true\ng: True\nh: TRUE\ni: tRUE\nj: False\n',
    'a: 123456789012345678901234567890\nb: 0o8\nc: 0xG\nd: 1e\ne: .\nf: +\ng: 1.2.3\nh: 0b1\n',
    'a: k:v\nb: a#b\nc: it\'s\nd: say "hi"\ne: x, y\nf: a [b] {c}\n',
  ];
  it.each(taken)('takes %j and reads it as the whole parser does', (yaml) => {
    expect(fast(yaml)).toBeDefined();
    checkSame(yaml);
  });

  const refused = [
    'a: b: c\n',
    'a: b\na: c\n',
    'a: |\n  x\n',
    'a: &x b\n',
    'a: *x\n',
    'a: !!str 1\n',
    'a: [[x]]\n',
    'a: {b: c}\n',
    'a:\n  b: c\n',
    'a: b\n  c\n',
    'a:\tb\n',
    'a: "x\\n"\n',
    "a: 'it''s'\n",
    'a: "x" y\n',
    'a: [a, ]\n',
    'a: [a: b]\n',
    'a: # c\n',
    'a:\n  - x\n    - y\n',
    'a:\n  - x: y\n',
    'a:\n  - - y\n',
    'null: a\n',
    '1: a\n',
    '"q": a\n',
    '  a: b\n',
    'a : b\n',
    'k:v\n',
    'a: @x\n',
    'a: %x\n',
    'a: - b\n',
    'word\n',
    'a: b\r',
    '',
    '# only a comment\n',
  ];
  it.each(refused)('leaves %j to the whole parser', (yaml) => {
    expect(fast(yaml)).toBeUndefined();
  });

  const piece = fc.constantFrom(
    ...'a b k Zz 1 017 0x1F -0 1e3 .5 .inf ~ null true yes - -- --- ... : # , [ ] { } & * ! | > % @ ` ? " \' \\ é 标 =  + _ /'.split(
      ' ',
    ),
    ' ',
    '  ',
    ': ',
    ' #',
    '- ',
    '\t',
    '[[x]]',
    '\u00a0',
  );
  const scalar = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  const ending = fc.constantFrom('\n', '\n', '\n', '\r\n', ' \n', '\n\n', ' # c\n');
  const line = fc
    .tuple(
      fc.constantFrom('', '', '', ' ', '  ', '    '),
      fc.oneof(
        fc
          .tuple(fc.constantFrom('a', 'b c', 'tags', 'Ключ', 'x'), scalar)
          .map(([k, v]) => `${k}: ${v}`),
        scalar.map((value) => `- ${value}`),
        scalar.map((value) => `k: [${value}, ${value}]`),
        scalar.map((value) => `"${value}"`),
        fc.constantFrom('k:', 'tags:', '-', '# c', '', '...', '---'),
        scalar,
      ),
      ending,
    )
    .map((parts) => parts.join(''));

  it('agrees with the whole parser on anything that looks like YAML', () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }).map((lines) => lines.join('')),
        checkSame,
      ),
      { numRuns: 5000 },
    );
  });

  it('agrees with the whole parser on good blocks with one character too many', () => {
    const word = fc.constantFrom(
      'plain',
      'two words',
      '"double"',
      "'single'",
      '12',
      '',
      'a:b',
      'x#y',
    );
    const list = fc.array(word, { minLength: 1, maxLength: 3 });
    const value = fc.oneof(
      word.map((word) => ` ${word}`),
      list.map((words) => ` [${words.join(', ')}]`),
      fc
        .tuple(list, fc.constantFrom('', '  '))
        .map(([words, indent]) => words.map((word) => `\n${indent}- ${word}`).join('')),
    );
    const block = fc
      .array(fc.tuple(value, ending), { minLength: 1, maxLength: 4 })
      .map((values) => values.map(([value, end], i) => `key ${'abcd'[i]}:${value}${end}`).join(''));
    let taken = 0;
    fc.assert(
      fc.property(block, fc.nat(80), fc.oneof(fc.constant(''), piece), (block, at, extra) => {
        const yaml = block.slice(0, at) + extra + block.slice(at);
        if (fast(yaml) !== undefined) taken++;
        checkSame(yaml);
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('agrees with the whole parser on one value of any kind', () => {
    fc.assert(
      fc.property(fc.oneof(scalar, fc.string()), ending, (value, end) => {
        for (const yaml of [
          `k: ${value}${end}`,
          `k:\n  - ${value}${end}  - b\n`,
          `${value}: v\n`,
        ]) {
          checkSame(yaml);
        }
        checkSame(`k: [${value}]${end}`);
      }),
      { numRuns: 3000 },
    );
  });
});
