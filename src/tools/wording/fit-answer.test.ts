import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import {
  charsWithin,
  firstOf,
  fitItems,
  fitLines,
  itemsWithin,
  linesWithin,
} from './fit-answer.ts';

describe('lists', () => {
  it.each<[string[], number, string[]]>([
    [['a', 'b', 'c'], 100, ['a', 'b', 'c']],
    [['a', 'b', 'c'], 10, ['a', 'b']],
    [['a', 'b', 'c'], 9, ['a']],
    [['"', '"'], 7, ['"']],
    [['a'], 3, []],
    [[], 0, []],
  ])('%j within %i characters is %j', (items, charsMax, expected) => {
    expect(itemsWithin(items, charsMax)).toEqual(expected);
  });

  it('of files end after twenty, or earlier when their names are long', () => {
    const files = Array.from({ length: 30 }, (_, n) => `${n}.md`);
    expect(firstOf(files)).toEqual(files.slice(0, limits.answerFilesMax));
    const long = files.map((file) => `${'x'.repeat(3_000)}${file}`);
    expect(firstOf(long)).toHaveLength(2);
  });

  it('leave room for what stands beside them', () => {
    const items = Array.from({ length: 10_000 }, (_, n) => `note ${n}`);
    const beside = { query: '\u0001'.repeat(1_000) };
    const shown = fitItems(items, beside);
    const { length } = JSON.stringify({ ...beside, shown });
    expect(length).toBeLessThanOrEqual(limits.answerCharsMax);
    expect(length).toBeGreaterThan(limits.answerCharsMax - 200);
  });
});

describe('linesWithin', () => {
  it('keeps a text that fits', () => {
    expect(linesWithin('a\nb\n', 10)).toBe('a\nb\n');
  });

  it('says how many lines it left out', () => {
    const text = Array.from({ length: 100 }, () => '"'.repeat(10)).join('\n');
    const cut = linesWithin(text, 500);
    expect(cut).toMatch(/^("{10}\n){17}… and 83 more lines$/);
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(500);
  });
});

describe('charsWithin', () => {
  it.each<[string, number, number, number]>([
    ['abc', 0, 10, 3],
    ['abc', 0, 4, 2],
    ['abc', 2, 4, 1],
    ['""""', 0, 6, 2],
    ['\u0001\u0001', 0, 8, 1],
    ['abc', 0, 1, 0],
    ['', 0, 9, 0],
  ])('of %j from %i within %i is %i', (text, start, jsonCharsMax, expected) => {
    expect(charsWithin(text, start, jsonCharsMax)).toBe(expected);
  });

  it('never takes more than there is room for', () => {
    const text = 'a"\n\u0001'.repeat(1_000);
    const chars = charsWithin(text, 5, 2_000);
    const { length } = JSON.stringify(text.slice(5, 5 + chars));
    expect(length).toBeLessThanOrEqual(2_000);
    expect(length).toBeGreaterThan(1_900);
  });
});

describe('fitLines', () => {
  it.each<[string, number, string]>([
    ['one\ntwo\nthree', 100, 'one\ntwo\nthree'],
    ['one\ntwo\nthree', 8, 'one\ntwo\n'],
    ['one\ntwo\nthree', 7, 'one\n'],
    ['one\r\ntwo\r\n', 9, 'one\r\n'],
    ['too long a line\nx', 5, 'too l'],
    ['ab😀\n', 3, 'ab'],
  ])('%j within %i characters is %j', (text, charsMax, expected) => {
    const whole = { start: 0, end: text.length };
    const { start, end } = fitLines(text, new LineIndex(text), whole, charsMax);
    expect(text.slice(start, end)).toBe(expected);
  });
});
