import { describe, expect, it } from 'vitest';
import { CutLines, foundLine } from './printed-lines.ts';

it.each<[readonly string[], readonly string[]]>([
  [[], []],
  [['one\ntwo\n'], ['one', 'two']],
  [
    ['o', 'ne\nt', 'wo\n'],
    ['one', 'two'],
  ],
  [['\n\n'], ['', '']],
  [['not ended'], []],
  [['123456\n'], ['1234']],
  [
    ['12', '3456', '789\n', 'ab\n'],
    ['1234', 'ab'],
  ],
])('of what is printed as %j the lines are %j', (chunks, expected) => {
  const lines = new CutLines(4);
  const seen = chunks.flatMap((chunk) => [...lines.push(Buffer.from(chunk))]);
  expect(seen.map(String)).toEqual(expected);
});

const all = { wants: (_path: string) => true, lineCharsMax: 20 };
const read = (printed: string | Buffer, options = all) => foundLine(Buffer.from(printed), options);

describe('foundLine', () => {
  it.each<[string, object | undefined]>([
    ['./a b/ü.md\x0012:3:some: text', { path: 'a b/ü.md', line: 12, text: 'some: text' }],
    ['./a.md\x001:1:', { path: 'a.md', line: 1, text: '' }],
    ['./a.md\x001:1:text\r', { path: 'a.md', line: 1, text: 'text' }],
    ['./a.md\x001:1:a\rb', { path: 'a.md', line: 1, text: 'a\rb' }],
    ['./a.md\x001:1:a\x00b', { path: 'a.md', line: 1, text: 'a\x00b' }],
    ['./e\u0301.md\x001:1:x', { path: 'e\u0301.md', line: 1, text: 'x' }],
    ['./a.md: WARNING: stopped searching binary file after match', undefined],
    ['./a\\b.md\x001:1:x', undefined],
    ['./a\tb.md\x001:1:x', undefined],
    ['', undefined],
  ])('reads %j', (printed, expected) => {
    expect(read(printed)).toEqual(expected);
  });

  it('shows what is no UTF-8 as replaced, and takes no path that is none', () => {
    const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
    expect(read(bytes('./a.md\x001:1:caf\xe9!'))).toMatchObject({ text: 'caf\ufffd!' });
    expect(read(bytes('./caf\xe9.md\x001:1:x'))).toBeUndefined();
  });

  it('leaves out what is not wanted', () => {
    const wants = (path: string): boolean => path !== 'a.md';
    expect(read('./a.md\x001:1:x', { ...all, wants })).toBeUndefined();
    expect(read('./b.md\x001:1:x', { ...all, wants })).toMatchObject({ path: 'b.md' });
  });

  it.each<[column: number, text: string, shown: string]>([
    [1, '12345678901234567890', '12345678901234567890'],
    [1, '123456789012345678901', '1234567890123456789…'],
    [15, '123456789012345678901', '1234567890123456789…'],
    [31, `${'a'.repeat(30)}MATCH${'b'.repeat(30)}`, '…aaaaaMATCHbbbbbbbb…'],
    [31, `${'a'.repeat(30)}MATCH`, `…${'a'.repeat(14)}MATCH`],
    [61, `${'ä'.repeat(30)}MATCH`, `…${'ä'.repeat(14)}MATCH`],
    [1, `${'a'.repeat(18)}😀😀😀`, `${'a'.repeat(18)}…`],
    [1, 'a\ud83d'.repeat(30), `${'a\ufffd'.repeat(9)}a…`],
    [118, `a${'😀'.repeat(30)}`, `…${'😀'.repeat(9)}`],
    [9_999, `${'a'.repeat(30)}`, `${'a'.repeat(19)}…`],
  ])('cuts around column %i of %j', (column, text, expected) => {
    const shown = read(`./a.md\x001:${column}:${text}`)?.text ?? '';
    expect(shown).toBe(expected);
    expect(shown.length).toBeLessThanOrEqual(20);
    expect(shown).not.toMatch(/\p{Cs}/u);
  });
});
