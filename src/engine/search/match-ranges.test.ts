import { expect, it } from 'vitest';
import type { WordAlternatives } from '../ports/index-store.ts';
import { matchRanges } from './match-ranges.ts';
import { parseQuery } from './parse-query.ts';

/** The line with its matches in brackets. */
function marked(query: string, line: string, alternatives: readonly WordAlternatives[] = []) {
  let text = '';
  let done = 0;
  for (const [start, end] of matchRanges(parseQuery(query), alternatives)(line)) {
    text += `${line.slice(done, start)}[${line.slice(start, end)}]`;
    done = end;
  }
  return text + line.slice(done);
}

it.each([
  ['bread', 'Bread, breadth and BREAD', '[Bread], [breadth] and [BREAD]'],
  ['bread flour', 'bread and flours', '[bread] and [flours]'],
  ['"cold rise"', 'a cold, rise; cold', 'a [cold, rise]; cold'],
  ['"cold rise"', 'the cold one', 'the [cold] one'],
  ['cafe', 'Café Cafe\u0301 scafe', '[Café] [Cafe\u0301] scafe'],
  ['strasse', 'Die Straße', 'Die [Straße]'],
  ['борщ', 'Бабушкин борщ', 'Бабушкин [борщ]'],
  ['日本', '日本語を話します', '[日本]語を話します'],
  ['日本語', 'at 日本語ノート', 'at [日本語]ノート'],
  ['tag:cooking', '- cooking/soup #cooking #cookings', '- [cooking/soup] [#cooking] #cookings'],
  ['/b.e/', 'the bee and bye', 'the [bee] and [bye]'],
  ['/x*/', 'nothing', 'nothing'],
  ['match-case:Bread', 'Bread bread', '[Bread] bread'],
  ['-bread flour', 'bread flour', 'bread [flour]'],
  ['path:bread flour', 'bread flour', 'bread [flour]'],
  ['[status:open]', 'status: open', '[status]: [open]'],
  ['line:(bread flour)', 'flour, bread', '[flour], [bread]'],
  ['😀 bread', '😀😀 bread', '[😀😀] [bread]'],
])('%s in %s', (query, line, expected) => {
  expect(marked(query, line)).toBe(expected);
});

it('marks the forms and corrections that were searched for', () => {
  const alternatives = [{ word: 'bake', words: ['baked', 'baking'], as: 'form' }] as const;
  expect(marked('bake it', 'Baking, baked, baker', alternatives as never)).toBe(
    '[Baking], [baked], baker',
  );
});

it('marks at most a hundred pieces of a line', () => {
  const found = matchRanges(parseQuery('/a/'), [])('ab'.repeat(5_000));
  expect(found).toHaveLength(100);
});
