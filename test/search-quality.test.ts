import { describe, expect, it } from 'vitest';
import {
  languagesFolder,
  lengthOf,
  parseQueries,
  type QualityQuery,
  qualityVaults,
  querySets,
  readQueries,
} from '../bench/quality/read-queries.ts';
import { scoreAnswer, scoresOf } from '../bench/quality/score-answers.ts';
import { expectFloorsReached, expectNotesThere } from './support/measure-search.ts';

// The queries that search is measured by, and how; the vaults of other people are in test/corpora.

describe('the queries', () => {
  it.each(qualityVaults)('of %s are not there twice', (vault) => {
    const texts = querySets.flatMap((set) => readQueries(vault, set)).map(({ text }) => text);
    expect(texts.length).toBeGreaterThanOrEqual(16);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('that nobody tuned for are at least a hundred, and a third of them is long', () => {
    const untuned = qualityVaults.flatMap((vault) => readQueries(vault, 'untuned'));
    const long = untuned.filter((query) => lengthOf(query) === '6 words and more');
    expect(untuned.length).toBeGreaterThanOrEqual(100);
    expect(long.length).toBeGreaterThanOrEqual(untuned.length / 3);
  });

  it.each([
    ['sourdough', '1 or 2 words'],
    ["kepler's law", '3 to 5 words'],
    ['сколько варить борщ', '3 to 5 words'],
    ['how long to cook the soup', '6 words and more'],
    ['番茄工作法', '3 to 5 words'],
    ['同步 obsidian sync 失败怎么办', '6 words and more'],
  ])('have a length: %s has %s', (text, length) => expect(lengthOf({ text })).toBe(length));

  it('are quoted when they are phrases, and only then', () => {
    const all = qualityVaults.flatMap((vault) =>
      querySets.flatMap((set) => readQueries(vault, set)),
    );
    const wrong = all.filter(({ kind, text }) => /^"[^"]+"$/.test(text) !== (kind === 'phrase'));
    expect(wrong).toEqual([]);
  });

  it.each([
    'title | without expected notes',
    'nonsense | a kind that is none | a.md',
    'title | too many | a.md | b.md | c.md | d.md',
    'title |  | a.md',
  ])('cannot be "%s"', (line) => {
    expect(() => parseQueries(line)).toThrow(line);
  });
});

describe('the scores', () => {
  const query: QualityQuery = { kind: 'title', text: 'x', expected: ['é.md', 'b.md'] };

  it.each<[readonly string[], number | undefined, number]>([
    [['é.md', 'b.md'], 1, 1],
    [['x.md', 'b.md'], 2, 0.5],
    [['x.md', 'y.md', 'e\u0301.md'], 3, 0.5],
    [['x.md'], undefined, 0],
    [[...'0123456789', 'b.md'], undefined, 0],
    [[], undefined, 0],
  ])('of %j are rank %s and recall %s', (paths, rank, recall) => {
    expect(scoreAnswer(query, paths)).toEqual({ query, rank, recall });
  });

  it('are means', () => {
    const answers = [['é.md', 'b.md'], ['x.md', 'b.md'], []].map((paths) =>
      scoreAnswer(query, paths),
    );
    expect(scoresOf(answers)).toEqual({ queries: 3, mrr: 0.5, recall: 0.5 });
  });
});

describe('languages', () => {
  it('has the expected notes, and search finds enough of them', async () => {
    expectNotesThere(languagesFolder, readQueries('languages'));
    await expectFloorsReached('languages', languagesFolder);
  });
});
