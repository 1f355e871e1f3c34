import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPhrase, foldText, isLoneCjk } from './fold-text.ts';

const stored = (text: string) => foldText(text).trim().split(/\s+/);

describe('foldText', () => {
  const rows: readonly [string, readonly string[]][] = [
    ['Hello World', ['hello', 'world']],
    ['Crème Brûlée', ['creme', 'brulee']],
    ['ＡＢＣ １２３', ['abc', '123']],
    ['ё Ёлка', ['е', 'елка']],
    ['Чайник', ['чайник']],
    ['大学生', ['大学', '学生', '生']],
    ['犬', ['犬']],
    ['がく', ['がく', 'く']],
    ['한국어', ['한국', '국어', '어']],
    ['ｶﾞｸ', ['ガク', 'ク']],
    ['हिन्दी', ['हिन्दी']],
    ['مُحَمَّد', ['محمد']],
    ['İstanbul', ['istanbul']],
    ['Straße Łódź Øre Æon Đa ılık Œuvre', 'strasse lodz ore aeon da ilik oeuvre'.split(' ')],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['أحمد إلى آمن ٱلله', ['احمد', 'الي', 'امن', 'الله']],
    ['مدرسة مستشفى', ['مدرسه', 'مستشفي']],
    ['שָׁלוֹם', ['שלום']],
  ];
  it.each(rows)('stores %s as %j', (text, expected) => {
    expect(stored(text)).toEqual(expected);
  });
});

describe('foldPhrase', () => {
  const rows: readonly [string, readonly string[]][] = [
    ['Crème-brûlée!', ['creme', 'brulee']],
    ['大学生', ['大学', '学生']],
    ['学', ['学']],
    ['ABC大学', ['abc', '大学']],
    ['你好，世界', ['你好', '好', '世界']],
    ['学习TypeScript', ['学习', '习', 'typescript']],
    ['中 国', ['中', '国']],
    ['snake_case', ['snake', 'case']],
    ['  ', []],
  ];
  it.each(rows)('asks for %s as %j', (text, expected) => {
    expect(foldPhrase(text)).toEqual(expected);
  });

  it('asks for words that the index has in a row', () => {
    const index = stored('我是大学生，喜欢学习');
    for (const phrase of ['大学生', '喜欢学习', '学习']) {
      const asked = foldPhrase(phrase);
      const at = index.indexOf(asked[0] ?? '');
      expect(index.slice(at, at + asked.length)).toEqual(asked);
    }
  });

  it('finds any piece of a text that begins and ends at a sign', () => {
    const signs = fc.constantFrom(
      '你',
      '好',
      '学',
      '习',
      'が',
      'き',
      '한',
      '국',
      '，',
      ' ',
      '-',
      'abc ',
    );
    fc.assert(
      fc.property(
        fc.array(signs, { minLength: 1, maxLength: 14 }),
        fc.nat(13),
        fc.nat(14),
        (all, from, size) => {
          const asked = foldPhrase(all.slice(from, from + size).join(''));
          const [last] = asked.slice(-1);
          if (last === undefined) return;
          const index = foldText(all.join(''))
            .trim()
            .split(/[^\p{L}\p{N}\p{M}]+/u);
          const same = (word: string, at: number, start: number) =>
            at === asked.length - 1 && isLoneCjk(word)
              ? (index[start + at] ?? '').startsWith(word)
              : index[start + at] === word;
          const found = index.some((_, start) => asked.every((word, at) => same(word, at, start)));
          expect(found, `${asked.join(' ')} in ${index.join(' ')}`).toBe(true);
        },
      ),
    );
  });

  it('knows a lone CJK character, which only begins words of the index', () => {
    expect([isLoneCjk('学'), isLoneCjk('大学'), isLoneCjk('a')]).toEqual([true, false, false]);
  });
});
