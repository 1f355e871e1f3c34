import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { cleanName } from './clean-name.ts';

const max = limits.clientNameCharsMax;

describe('cleanName', () => {
  it.each([
    ['Cursor', 'Cursor'],
    ['  MCP \n\t CLI   Proxy ', 'MCP CLI Proxy'],
    ['a\u00a0b\u2028c', 'a b c'],
    ['a \u0001 b', 'a b'],
    ['a\0b\u001b[31mc\u007f\u0085', 'ab[31mc'],
    ['\u202eevil\u202c \u2066x\u2069\u200f', 'evil x'],
    ['a\u200b\u200d\ufeff\u00ad\u034f\u115f\u3164\u2800b', 'ab'],
    ['a\u{e0041}\u{e0100}\ufe0fb', 'ab'],
    ['a\ud800b\udc00', 'ab'],
    ['\ue000\u{10ffff}', ''],
    [' \u200b ', ''],
    ['', ''],
    ['<b>"Vaultdoor" (verified)</b>', '<b>"Vaultdoor" (verified)</b>'],
    ['日本語 Ünï', '日本語 Ünï'],
    [`e${'\u0301'.repeat(50)}x`, `e${'\u0301'.repeat(4)}x`],
    ['x'.repeat(10_000), 'x'.repeat(max)],
    ['😀'.repeat(max + 5), '😀'.repeat(max)],
    [`x${'😀'.repeat(max + 5)}`, `x${'😀'.repeat(max - 1)}`],
    [`${'x'.repeat(max - 1)} y`, 'x'.repeat(max - 1)],
  ])('makes of %j %j', (text, name) => {
    expect(cleanName(text)).toBe(name);
  });

  it('takes a time that grows with the text alone', () => {
    // Looking at what follows once more from each character would take longer than a test may.
    const pieces = [' ', '\u0301', '\u202e', 'a ', 'e\u0301'];
    expect(pieces.map((piece) => cleanName(piece.repeat(1_000_000)).length)).toEqual([
      0, 4, 0, 59, 60,
    ]);
  });
});
