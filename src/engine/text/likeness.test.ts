import { describe, expect, it } from 'vitest';
import { bandKeys, estimatedLikeness, shinglesOf, sketchOf } from './likeness.ts';

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `word${from + at}`).join(' ');

/** The share of shingles that two texts have in common. */
function likeness(a: string, b: string): number {
  const [first, second] = [new Set(shinglesOf(a)), new Set(shinglesOf(b))];
  const both = Array.from(first).filter((shingle) => second.has(shingle)).length;
  return both / (first.size + second.size - both);
}

describe('the likeness of texts', () => {
  it.each<[string, string, string, number]>([
    [
      'case, accents, marks and white space do not count',
      'Ein Käse, bitte!',
      'ein KASE  *bitte*',
      1,
    ],
    ['the order of words counts', 'one two three', 'three two one', 0],
    ['half of them', words(0, 102), words(50, 102), 0.5],
    ['Chinese, by characters', '花园里的石头很多', '花园里的石头很少', 5 / 7],
    ['Japanese', 'ねこがすきです', 'いぬがすきです', 3 / 7],
    ['Thai', 'สวัสดีครับ', 'สวัสดีครับ', 1],
    ['Russian', 'бабушкин борщ со свёклой', 'бабушкин борщ со свеклой', 1],
  ])('%s', (_, a, b, expected) => {
    expect(likeness(a, b)).toBeCloseTo(expected, 5);
  });

  it.each([0.6, 0.7, 0.8, 0.9])('is estimated by sketches: %f', (share) => {
    const size = 2_000;
    const common = Math.round((2 * size * share) / (1 + share));
    const [a, b] = [words(0, size), words(size - common, 2 * size - common)].map((text) =>
      sketchOf(shinglesOf(text)),
    );
    if (a === undefined || b === undefined) throw new Error('no sketches');
    expect(Math.abs(estimatedLikeness(a, b) - share)).toBeLessThan(0.2);
    const keys = new Set(bandKeys(a));
    expect(bandKeys(b).some((key) => keys.has(key))).toBe(true);
  });

  it('is not found between texts about different things', () => {
    const [a, b] = [words(0, 500), words(500, 1_000)].map((text) => sketchOf(shinglesOf(text)));
    expect(estimatedLikeness(a ?? new Uint32Array(), b ?? new Uint32Array())).toBeLessThan(0.05);
  });
});
