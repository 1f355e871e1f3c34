import { describe, expect, it } from 'vitest';
import { counted } from '../../../test/support/counts.ts';
import { foldText } from '../text/fold-text.ts';
import { writtenWords } from './written-words.ts';

/** Tests a text, and says whether it had to be decoded. */
function look(text: string, test: ReturnType<typeof writtenWords>) {
  let decoded = false;
  const file = {
    bytes: Buffer.from(text).toString('latin1'),
    text: () => {
      decoded = true;
      return text;
    },
  };
  const found = test(file);
  return { found, decoded };
}

describe('words in files', () => {
  it.each([
    ['The SNOWS of yesterday', ['snow'], true, false],
    ['“The rain”, he said – and left 🙂', ['snow'], false, false],
    ['только по-русски', ['snow'], false, false],
    ['“Rain”, in English', ['снег'], false, false],
    ['Caf\u00e9', ['cafe'], true, true],
    ['Cafe\u0301 no\u0301ir', ['noir'], true, true],
    ['Straße', ['strass'], true, true],
    ['ＳＮＯＷ', ['snow'], true, true],
    ['Первый СНЕГ', ['снег'], true, true],
    ['rain', ['snow', 'снег'], false, false],
  ] as const)('%s: %j', (text, beginnings, found, decoded) => {
    expect(look(text, writtenWords(beginnings))).toEqual({ found, decoded });
  });

  it('every character that can be part of a folded word is decoded', () => {
    const missed: string[] = [];
    const [latin, russian] = [writtenWords(['snow']), writtenWords(['снег'])];
    const step = counted({ quick: 7, full: 1 });
    for (let code = 0x80; code <= 0x10ffff; code += step) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      const folded = foldText(character);
      const isRemoved = folded === '';
      if (isRemoved || /[a-z0-9]/.test(folded)) {
        if (!look(character, latin).decoded) missed.push(`${code.toString(16)} for ASCII`);
      }
      if (isRemoved || /[\p{L}\p{N}\p{M}\p{Co}]/u.test(folded)) {
        if (!look(character, russian).decoded) missed.push(code.toString(16));
      }
    }
    expect(missed).toEqual([]);
  });
});
