import { describe, expect, it } from 'vitest';
import { markTerms } from './mark-terms.ts';
import { queryTerms } from './query-terms.ts';

describe('the words of a query', () => {
  it.each<[query: string, terms: string[]]>([
    ['river flood', ['river', 'flood']],
    ['"unit hydrograph" -velo -"a b" OR miso', ['unit hydrograph', 'miso']],
    ['path:recipes file:"a b" tag:#project/active #book', ['project/active', 'book']],
    ['[rating:>=4] [status] [kind:"a b"] [x:null]', ['rating', 'status', 'kind', 'a b', 'x']],
    ['line:(flood "map river") task-todo:order', ['flood', 'map river', 'order']],
    ['/^- \\[ \\]/ word', ['word']],
    ['12:30 math:x say \\"', ['12:30', 'math:x', 'say']],
    ['- ( ) "" [ /', []],
  ])('%s', (query, terms) => {
    expect(queryTerms(query)).toEqual(terms);
  });
});

describe('marks', () => {
  it.each<[line: string, terms: string[], shown: string]>([
    ['- rivers and the River', ['river'], '- <rivers> and the <River>'],
    ['A river, rivière; arriver', ['riviere'], 'A river, <rivière>; arriver'],
    ['Two Swift wings', ['swifts'], 'Two <Swift> wings'],
    ['Straße nach ÉCLAIR', ['strasse', 'eclair'], '<Straße> nach <ÉCLAIR>'],
    ['洪水(こうずい):flood。', ['洪水', 'flood'], '<洪水>(こうずい):<flood>。'],
    ['the  unit\thydrograph, unit', ['unit hydrograph'], 'the  <unit\thydrograph>, <unit>'],
    ['#project/active now', ['project/active'], '#<project/active> now'],
    ['Бабушкин борщ', ['борща'], 'Бабушкин <борщ>'],
    ['\u{1f4a5} boom \u{1f4a5}', ['boom'], '\u{1f4a5} <boom> \u{1f4a5}'],
    ['e\u0301clair', ['eclair'], '<e\u0301clair>'],
    ['', ['a'], ''],
    ['plain', [], 'plain'],
  ])('%s', (line, terms, shown) => {
    const pieces = markTerms(line, terms);
    expect(pieces.map(({ text, isMarked }) => (isMarked ? `<${text}>` : text)).join('')).toBe(
      shown,
    );
  });

  it('take linear time', () => {
    const line = 'aaaa '.repeat(4_000);
    const start = performance.now();
    markTerms(line, ['aaaa', 'a a', 'aaaab']);
    queryTerms('"'.repeat(1_000));
    queryTerms(`${'['.repeat(500)}${'-'.repeat(500)}`);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
