import { describe, expect, it } from 'vitest';
import { oneLine } from './one-line.ts';

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
