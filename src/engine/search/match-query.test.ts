import { describe, expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import type { WordAlternatives } from '../ports/index-store.ts';
import { queryTest } from './match-query.ts';
import { parseQuery } from './parse-query.ts';
import { SearchedFile } from './searched-file.ts';

const note = `---
aliases:
status: In progress
duration: 4
date: 2024-03-01
people: [Ada Lovelace, Grace]
empty: ""
none: []
tags: [Work/Deep]
---
Before any heading, a preamble.

# First
Apples and PEARS
grow on trees.

> a quote about plums

## Sub
- [ ] buy crème brûlée
- [x] call Bob
  - [ ] inner thing
- plain item

# Second
我是大学生 and iPhone C++
#home \`#code\`
`;

const file = new SearchedFile(vaultPath('Projects/My Plan.md'), note);

function fulfils(query: string, alternatives: readonly WordAlternatives[] = []): boolean {
  return queryTest(parseQuery(query), alternatives)(file);
}

/** Queries that the note fulfils, and some next to each that it does not. */
function rows(name: string, all: readonly [yes: readonly string[], no: readonly string[]][]): void {
  describe(name, () => {
    const marked = all.flatMap(([yes, no]) => [
      ...yes.map((query) => [query, true] as const),
      ...no.map((query) => [query, false] as const),
    ]);
    it.each(marked)('%s: %s', (query, expected) => expect(fulfils(query)).toBe(expected));
  });
}

rows('words', [
  [
    ['apples', 'APPLES pears', 'creme', '"pears grow"', 'my plan'],
    ['apple x', '"apples pears"'],
  ],
  [
    ['app', 'pears gro'],
    ['app pears', '"app"', 'rees'],
  ],
  [['大学', '学', '学生 iphone', '"大学生"'], ['学大']],
  [
    ['content:apples', '-content:plan'],
    ['content:plan', 'apples -pears'],
  ],
  [['nothing OR apples', '(a OR b) OR pears'], ['(nothing OR other) apples']],
]);

rows('quoted texts, with their punctuation', [
  [
    ['"grow on trees."', '"trees."', '"Apples and pears"', '"c++"'],
    ['"trees,"', '"apples, and pears"'],
  ],
  [
    ['"[ ] buy creme brulee"', '"- [x] call"'],
    ['"[x] buy"', '"call  bob."', '"x call"'],
  ],
  [
    ['-"trees,"', 'apples -"apples, and"'],
    ['-"trees."', 'apples -"grow on"'],
  ],
  [
    ['"my plan"', '"on tr" OR "grow on"'],
    ['"my-plan"', '"on tr"', 'content:"my plan"'],
  ],
]);

rows('cases of the app, by what they find', [
  [['apples work OR bob thing'], ['apples nowhere OR bob nowhere']], // S01
  [['apples -(pears nowhere)'], ['apples -(pears bob)']], // S02
  [['task:""', 'task-todo:""', 'task-done:""'], ['task:"" nowhere']], // S04
  [['[aliases:null]'], ['[empty:null]', '[none:null]', '[nokey:null]']], // S05
  [
    ['[duration:<5]', '[duration:>=4]', '[date:>2024-02]'],
    ['[duration:>4]', '[date:<2024]'],
  ], // S06
  [
    ['/^## /', '/^grow.*\\.$/'],
    ['/^# $/', '/^Sub/'],
  ], // S07
  [['TAG:#home', 'FILE:plan'], ['TAG:#code']], // S08
  [
    ['section:(First section:(Sub))', 'section:(Sub)', 'section:preamble'],
    ['section:(Sub section:(First))', 'section:(First Second)', 'section:(preamble apples)'],
  ], // S09
  [
    ['file:.md', 'file:plan.m', 'path:projects/my'],
    ['file:projects', 'file:.jpg'],
  ], // S10
]);

rows('places', [
  [
    ['line:(apples pears)', 'line:"pears"'],
    ['line:(apples trees)', 'line:"pears grow"'],
  ],
  [
    ['block:(apples trees)', 'block:(quote plums)'],
    ['block:(apples plums)', 'block:(buy bob)'],
  ],
  [['task:creme', 'task-todo:brulee', 'task-done:bob', 'task:inner'], ['task:plain']],
  [
    ['-task-done:creme', 'task:/C.ll/'],
    ['task-todo:bob', 'task-done:inner'],
  ],
  [['section:(first line:(apples pears))'], ['section:(second line:(apples pears))']],
  [['line:(tag:home)', 'section:(second tag:home)'], ['line:(tag:home apples)']],
]);

rows('case', [
  [['match-case:PEARS', 'match-case:"and PEARS"', 'match-case:PEA'], ['match-case:Pears']],
  [['match-case:iPhone', 'match-case:"C++"', 'match-case:大学'], ['match-case:Phone x']],
  [['match-case:/PEARS$/', 'match-case:(Apples ignore-case:pears)'], ['match-case:/pears$/']],
  [
    ['match-case:file:Plan', 'match-case:Plan'],
    ['match-case:file:plan', 'match-case:plan'],
  ],
  [[], ['match-case:"PEA"', 'match-case:EARS']],
]);

rows('tags and properties', [
  [
    ['#home', 'tag:work', 'tag:work/deep', 'tag:/^work/'],
    ['tag:deep', 'tag:wor', 'tag:/^deep/'],
  ],
  [
    ['[status]', '[STATUS:progress]', '[status:"in progress"]'],
    ['[stat]', '[status:done]'],
  ],
  [['[people:ada]', '[people:grace]', '["people":"ada lovelace"]'], ['[people:"lovelace grace"]']],
  [['[status:done OR progress]', '[status:-done]', '[status:/^in/]'], ['[status:in -progress]']],
  [['[/^dur/]', '[/^dur/:4]', '-[nothing]'], ['[/^durx/]']],
]);

it('takes for a word what the index took for it, but not within quotes', () => {
  const alternatives: WordAlternatives[] = [{ word: 'aples', as: 'typo', words: ['apples'] }];
  expect(fulfils('aples', alternatives)).toBe(true);
  expect(fulfils('line:(aples pears)', alternatives)).toBe(true);
  expect(fulfils('"aples"', alternatives)).toBe(false);
  expect(fulfils('match-case:aples', alternatives)).toBe(false);
});

it('compares names by the letters that the index compares them by', () => {
  const test = queryTest(parseQuery('file:strasse path:hof'));
  expect(test(new SearchedFile(vaultPath('HÖF/Große Straße.md'), ''))).toBe(true);
  expect(test(new SearchedFile(vaultPath('Hof/Strase.md'), ''))).toBe(false);
});

it('looks at what was written on a canvas, and at names alone of other files', () => {
  const cards = { nodes: [{ type: 'text', text: '# Plan\nred apples\n- [ ] eat' }] };
  const canvas = new SearchedFile(vaultPath('Board.canvas'), JSON.stringify(cards));
  const picture = new SearchedFile(vaultPath('red apples.jpg'), '');
  const found = (query: string) => [canvas, picture].map(queryTest(parseQuery(query)));
  expect(found('line:(red apples)')).toEqual([true, false]);
  expect(found('task:eat')).toEqual([true, false]);
  expect(found('section:(plan /RED/)')).toEqual([true, false]);
  expect(found('/"nodes"/')).toEqual([false, false]);
  expect(found('file:/^red/')).toEqual([false, true]);
  expect(found('file:.jpg -/x/')).toEqual([false, true]);
  expect(found('/x*/')).toEqual([true, false]);
});
