import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { WordAlternatives } from '../ports/index-store.ts';
import { queryTest } from './match-query.ts';
import { matchedName, matchingLines } from './matching-lines.ts';
import { parseQuery } from './parse-query.ts';
import { SearchedFile } from './searched-file.ts';

interface Asked {
  readonly max?: number;
  readonly alternatives?: readonly WordAlternatives[];
  readonly path?: string;
}

function found(text: string, query: string, asked: Asked = {}): [number, string][] {
  const { max = 2, alternatives = [], path = 'Note.md' } = asked;
  const file = new SearchedFile(vaultPath(path), text);
  const { lines } = matchingLines(file, parseQuery(query), {
    show: { lines: max, chars: 200 },
    alternatives,
  });
  return lines.map(({ line, text: shown }) => [line, shown]);
}

it('shows the lines that hold most of the words, in their order', () => {
  expect(found('one\n  red\nblue red\nred\nblue', 'red blue')).toEqual([
    [1, 'red'],
    [2, 'blue red'],
  ]);
});

it('shows each word once before it shows one twice', () => {
  const text = 'red one\nred two\nred red three\nblue\nred four';
  expect(found(text, 'red blue')).toEqual([
    [0, 'red one'],
    [3, 'blue'],
  ]);
  expect(found(`---\ntags: blue\n---\n${text.replace('blue', '')}`, 'red blue')).toEqual([
    [1, 'tags: blue'],
    [3, 'red one'],
  ]);
  expect(found(text, 'red #x blue OR /four/', { max: 3 })).toEqual([
    [0, 'red one'],
    [3, 'blue'],
    [4, 'red four'],
  ]);
});

it('folds as the index does', () => {
  expect(found('x\r\nCRÈME\r\n我是大学生', 'creme')).toEqual([[1, 'CRÈME']]);
  expect(found('x\r\nCRÈME\r\n我是大学生', '大学')).toEqual([[2, '我是大学生']]);
  expect(found('我是大学生', '学')).toEqual([[0, '我是大学生']]);
  expect(found('İ\nplain word', 'word')).toEqual([[1, 'plain word']]);
  expect(found('a — b', '"a b"')).toEqual([[0, 'a — b']]);
});

it('takes whole words, and beginnings of the last one', () => {
  expect(found('redo\ncured\nred_x', 'red x')).toEqual([[2, 'red_x']]);
  expect(found('redo\ncured\nred_x', '"red"')).toEqual([[2, 'red_x']]);
  expect(found('redo\ncured', 'red')).toEqual([[0, 'redo']]);
});

it('puts a phrase before its words, and those that stand in a row before others', () => {
  const text = 'white and red\nred, white\nwhite red\nred';
  expect(found(text, '"white red"', { max: 1 })).toEqual([[2, 'white red']]);
  expect(found(text, 'red white', { max: 1 })).toEqual([[1, 'red, white']]);
  expect(found('the white\nred one', '"white red"')).toEqual([[0, 'the white']]);
  expect(found('white x\n\nred one', '"white red"')).toEqual([
    [0, 'white x'],
    [2, 'red one'],
  ]);
});

it('shows forms and corrected words, after the words themselves', () => {
  const alternatives: WordAlternatives[] = [
    { word: 'running', as: 'form', words: ['runs', 'бег'] },
  ];
  const text = 'he runs\nnothing\nwe were running\nбег';
  expect(found(text, 'running fast', { alternatives, max: 1 })).toEqual([[2, 'we were running']]);
  expect(found(text, 'running fast', { alternatives, max: 3 })).toEqual([
    [0, 'he runs'],
    [2, 'we were running'],
    [3, 'бег'],
  ]);
});

describe('what is counted and preferred', () => {
  const look = (text: string, query: string, lines = 2) =>
    matchingLines(new SearchedFile(vaultPath('n.md'), text), parseQuery(query), {
      show: { lines, chars: 40 },
      alternatives: [],
    });

  it('counts every line with something of the query, shown or not', () => {
    expect(look('red\nblue\n'.repeat(23), 'red')).toMatchObject({ total: 23, isAll: true });
    expect(look('red\nblue\n'.repeat(23), 'red blue', 50)).toMatchObject({ total: 46 });
  });

  it('says when the text, or an expression, was not looked through', () => {
    const long = `red ${'x'.repeat(limits.snippetCharsMax)}`;
    expect(look(long, 'red')).toMatchObject({ total: 1, isAll: false });
    expect(look('a\n'.repeat(2_000), '/a/')).toMatchObject({ total: 1_000, isAll: false });
    expect(look('A\n'.repeat(2_000), 'match-case:A')).toMatchObject({ total: 1_000, isAll: false });
  });

  it.each([
    'needle',
    '"the needle"',
    '/nee+dle/',
    'match-case:needle',
    'line:(the needle)',
    '#tag',
  ])('looks on in a long text until it finds a line: %s', (query) => {
    const text = `${'some words\n'.repeat(120_000)}the needle #tag`;
    expect(text.length).toBeGreaterThan(4 * limits.snippetCharsMax);
    const lines = [{ line: 120_000, text: 'the needle #tag' }];
    expect(look(text, query)).toMatchObject({ lines, total: 1, isAll: true });
  });

  it('prefers the body to the properties, unless these show more', () => {
    const text = '---\ntitle: red\nabout: red blue\n---\na red one\nblue\nmore red\n';
    expect(look(text, 'red').lines.map(({ line }) => line)).toEqual([4, 6]);
    expect(look(text, 'red blue', 1).lines.map(({ line }) => line)).toEqual([2]);
    expect(look('---\ntitle: red\n---\n', 'red').lines.map(({ line }) => line)).toEqual([1]);
  });

  it.each([
    ['one\n\n\nred', '/\\s+red/', [3]],
    ['one\r\n\r\nred', '/\\n+red/', [2]],
    ['one\n\n\n', '/\\n\\n/', [0]],
    ['\n\none', 'section:one', [2]],
    ['one\n\nred\n\nblue\n', '/\\n\\n/', [2, 4]],
    ['\n \n', '/\\n/', [0]],
  ])('shows of %j for %j a line that is not empty: %j', (text, query, lines) => {
    expect(look(text, query).lines.map(({ line }) => line)).toEqual(lines);
  });
});

describe('operators', () => {
  const text = '---\nstatus: done\n---\n# One\napples pears\n- [ ] pears\n# Two\nPears #home/x\n';
  const rows: readonly [string, readonly number[]][] = [
    ['/^a\\w+/', [4]],
    ['line:(apples pears)', [4]],
    ['section:(two pears)', [6, 7]],
    ['task:""', [5]],
    ['task:pears', [5]],
    ['match-case:Pears', [7]],
    ['#home', [7]],
    ['[status:done]', [1]],
    ['apples -pears', [4]],
    ['apples OR #home', [4, 7]],
    ['file:note', []],
    ['path:n content:apples', [4]],
  ];
  it.each(rows)('%s shows lines %j', (query, lines) => {
    expect(found(text, query).map(([line]) => line)).toEqual(lines);
  });
});

describe('a long line', () => {
  const before = 'word '.repeat(100);

  it('is cut around what was found in it', () => {
    const [[, shown = ''] = []] = found(`  ${before}needle ${before}`, 'needle');
    expect(shown).toMatch(/^…(word )+needle (word )+(wor?)?…$/);
    expect(shown.length).toBeLessThanOrEqual(202);
  });

  it.each([
    ['Nadel', `${'ö '.repeat(300)}Nadel ${'ö '.repeat(300)}`],
    ['brulee', `${'wörd '.repeat(100)}brûlée ${'wörd '.repeat(100)}`],
    ['大学', `${'我'.repeat(300)}大学生${'是'.repeat(300)}`],
    ['/ne+dle/', `${before}needle ${before}`],
    ['match-case:Needle', `${before}needle ${before}Needle ${before}`],
  ])('shows %s', (query, text) => {
    const [[, shown = ''] = []] = found(text, query);
    expect(queryTest(parseQuery(query))(new SearchedFile(vaultPath('x.md'), shown))).toBe(true);
    expect(shown.startsWith('…')).toBe(true);
    expect(shown.endsWith('…')).toBe(true);
  });

  it('is shown from its beginning or to its end where that has it', () => {
    expect(found(`word ${'x'.repeat(500)}`, 'word')[0]?.[1]).toHaveLength(201);
    const [[, end = ''] = []] = found(`${'x'.repeat(500)} word`, 'word');
    expect(end).toMatch(/^…x+ word$/);
  });

  it('is not cut within a character', () => {
    const [[, shown = ''] = []] = found(`${'😀'.repeat(200)} needle ${'😀'.repeat(200)}`, 'needle');
    expect(shown).toMatch(/^…(😀)+ needle (😀)+…$/u);
  });
});

it('shows the words on a card, and the line of the canvas that has it', () => {
  const canvas = '{\n\t"nodes":[\n\t\t{"id":"1","text":"a \\"b\\"\\nred apples"}\n\t]\n}';
  expect(found(canvas, 'apples', { path: 'Board.canvas' })).toEqual([[2, 'red apples']]);
});

it.each([
  ['[genre:sci]', [[3, '- "[[Sci-fi]]"']]],
  ['[genre:/sci-./]', [[3, '- "[[Sci-fi]]"']]],
  ['[year:>1980]', [[4, 'year: 1982']]],
  ['[genre]', [[1, 'genre:']]],
])('shows the line with the value of a property: %s', (query, expected) => {
  const text = '---\ngenre:\n  - Drama\n  - "[[Sci-fi]]"\nyear: 1982\n---\ntext\n';
  expect(found(text, query)).toEqual(expected);
});

it.each([
  ['plan', 'name'],
  ['plan other', 'name'],
  ['file:.png', 'name'],
  ['path:projects', 'path'],
  ['tag:x', undefined],
  ['-plan', undefined],
])('says what a file without such lines was found by: %s', (query, expected) => {
  const file = new SearchedFile(vaultPath('Projects/My plan.md'), '');
  expect(matchedName(file, parseQuery(query), [])).toBe(expected);
});

it('has a line for each note that a query of words finds by its text', () => {
  const pieces = ['red', 'Red', 'rédo', '学', '大学', 'blue', ' ', '\n', '-', '—', 'é', '_', 'İ'];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }),
      fc.constantFrom('red', '"red"', '"red blue"', '学', '大学', 'red 学', 'redo e'),
      (text, query) => {
        const file = new SearchedFile(vaultPath('x.md'), text.join(''));
        const parsed = parseQuery(query);
        if (!queryTest(parsed)(file)) return;
        expect(found(file.text, query)).not.toEqual([]);
      },
    ),
  );
});
