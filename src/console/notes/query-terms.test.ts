import { describe, expect, it } from 'vitest';
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

  it('takes linear time', () => {
    const start = performance.now();
    for (const sign of ['"', '[', '-', '/', 'a-', '\\']) queryTerms(sign.repeat(1_000));
    expect(performance.now() - start).toBeLessThan(200);
  });
});
