import { describe, expect, it } from 'vitest';
import { oneLine, quotedLine, shownText } from './one-line.ts';

describe('oneLine', () => {
  it.each<[name: string, text: string, charsMax: number, expected: string]>([
    [
      'keeps what is one line',
      'Read before writing — «да» 👩‍👧',
      50,
      'Read before writing — «да» 👩‍👧',
    ],
    ['folds every kind of line break', ' a\r\nb\u2028c\u0085d\ve\n\n---\n', 50, 'a b c d e ---'],
    ['escapes control characters', 'a\u0000b\u001b[2Jc\u007f', 50, 'a\\u{0}b\\u{1b}[2Jc\\u{7f}'],
    ['escapes marks of direction', 'a\u202eb\u2066c', 50, 'a\\u{202e}b\\u{2066}c'],
    ['escapes letters nobody sees', 'a\u{e0041}b', 50, 'a\\u{e0041}b'],
    ['escapes half a character', 'a\ud800b', 50, 'a\\u{d800}b'],
    ['keeps what just fits', 'abcde', 5, 'abcde'],
    ['cuts what does not', 'abcdef', 5, 'abcd…'],
    ['never cuts a character in two', 'abc👍def', 5, 'abc…'],
    ['leaves nothing of blanks', ' \n\t', 5, ''],
  ])('%s', (_name, text, charsMax, expected) => {
    expect(oneLine(text, charsMax)).toBe(expected);
  });
});

describe('shownText', () => {
  it.each<[name: string, text: string, expected: string]>([
    ['keeps lines, tabs and letters', 'a\tb\r\nи «да»\n', 'a\tb\r\nи «да»\n'],
    ['keeps emoji together', '👩‍👧 👨🏽‍🚀 ❤️‍🔥', '👩‍👧 👨🏽‍🚀 ❤️‍🔥'],
    ['escapes control characters', 'a\0b\u001b[2J\rc', 'a\\u{0}b\\u{1b}[2J\\u{d}c'],
    ['escapes marks of direction', 'a\u202eb\u200f\u061c', 'a\\u{202e}b\\u{200f}\\u{61c}'],
    ['escapes what has no width', 'a\u200bb\u200dc\ufeff', 'a\\u{200b}b\\u{200d}c\\u{feff}'],
    ['escapes separators', 'a\u2028b\u2029c\u0085', 'a\\u{2028}b\\u{2029}c\\u{85}'],
    ['escapes letters nobody sees', 'a\u{e0041}\u{e0101}', 'a\\u{e0041}\\u{e0101}'],
    ['escapes half a character', 'a\ud800b', 'a\\u{d800}b'],
  ])('%s', (_name, text, expected) => {
    expect(shownText(text)).toBe(expected);
  });
});

describe('quotedLine', () => {
  it.each<[name: string, text: string, charsMax: number, expected: string]>([
    ['quotes a line', 'Read «да» 👩‍👧', 50, '"Read «да» 👩‍👧"'],
    ['escapes quotes and backslashes', 'a" — "b\\', 50, '"a\\" — \\"b\\\\"'],
    ['escapes line breaks', 'a\n## b\u2028c\u0085d', 50, '"a\\n## b\\u2028c\\u0085d"'],
    [
      'escapes what nobody sees',
      'a\u001b\u202e\u{e0041}\ud800',
      50,
      '"a\\u001b\\u202e\\udb40\\udc41\\ud800"',
    ],
    ['keeps what just fits', 'abc', 5, '"abc"'],
    ['cuts what does not', 'abcd', 5, '"ab…"'],
    ['never cuts an escape in two', 'a\nbc', 5, '"a…"'],
    ['never cuts a character in two', 'a👍bcd', 5, '"a…"'],
    ['quotes nothing', '', 5, '""'],
  ])('%s', (_name, text, charsMax, expected) => {
    const quoted = quotedLine(text, charsMax);
    expect(quoted).toBe(expected);
    expect(quoted.length).toBeLessThanOrEqual(charsMax);
    const read: unknown = JSON.parse(quoted);
    if (!quoted.endsWith('…"')) expect(read).toBe(text);
  });
});
