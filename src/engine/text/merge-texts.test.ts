import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTexts } from './merge-texts.ts';

const rows: readonly [
  behaviour: string,
  base: string,
  ours: string,
  theirs: string,
  merged: string | undefined,
][] = [
  [
    'joins edits with an unchanged line between',
    'a\nb\nc\n',
    'A\nb\nc\n',
    'a\nb\nC\n',
    'A\nb\nC\n',
  ],
  ['refuses edits of the same line', 'a\nb\n', 'A\nb\n', 'x\nb\n', undefined],
  ['refuses edits of adjacent lines', 'a\nb\n', 'A\nb\n', 'a\nB\n', undefined],
  ['refuses a line added beside a changed one', 'a\nb\n', 'a\nnew\nb\n', 'a\nB\n', undefined],
  ['refuses two different lines added at one place', 'a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n', undefined],
  [
    'refuses a removal of what the other side changed',
    'a\nb\nc\n',
    'a\nc\n',
    'a\nB\nc\n',
    undefined,
  ],
  ['counts the same edit once', 'a\nb\n', 'A\nb\n', 'A\nb\n', 'A\nb\n'],
  ['counts the same added line once', 'a\n', 'a\nx\n', 'a\nx\n', 'a\nx\n'],
  [
    'joins one edit of both with one of one side',
    'a\nb\nc\n',
    'A\nb\nc\n',
    'A\nb\nC\n',
    'A\nb\nC\n',
  ],
  [
    'keeps the line ends of each line',
    'a\r\nb\r\nc\r\n',
    'A\r\nb\r\nc\r\n',
    'a\r\nb\r\nc',
    'A\r\nb\r\nc',
  ],
  ['sees changed line ends as changed lines', 'a\nb\n', 'a\r\nb\r\n', 'a\nB\n', undefined],
  ['keeps a missing final line end', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
  ['joins removals', 'a\nb\nc\nd\ne\n', 'b\nc\nd\ne\n', 'a\nb\nc\nd\n', 'b\nc\nd\n'],
  ['refuses text for an emptied note', 'a\n', '', 'a\nb\n', undefined],
  ['merges nothing into nothing', '', '', '', ''],
];

describe('mergeTexts', () => {
  it.each(rows)('%s', (_, base, ours, theirs, merged) => {
    expect(mergeTexts({ base, ours, theirs })).toBe(merged);
  });

  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\r\n', 'e'), { maxLength: 10 })
    .map((lines) => lines.join(''));

  it('is the other side where one side changed nothing', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts({ base, ours: base, theirs: changed })).toBe(changed);
        expect(mergeTexts({ base, ours: changed, theirs: base })).toBe(changed);
        expect(mergeTexts({ base, ours: changed, theirs: changed })).toBe(changed);
      }),
    );
  });

  it('does not care which side is which', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        const merged = mergeTexts({ base, ours, theirs });
        expect(mergeTexts({ base, ours: theirs, theirs: ours })).toBe(merged);
      }),
    );
  });

  it('has both sides when they changed lines that are apart', () => {
    const edit = fc.constantFrom('keep', 'change', 'remove', 'add') satisfies fc.Arbitrary<string>;
    // Every third line may be edited, by one side only; the two after it stay.
    const plan = fc.array(fc.record({ edit, ours: fc.boolean() }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(plan, (edits) => {
        const make = (done: (ours: boolean) => boolean): string =>
          edits.map(({ edit: what, ours }, i) => edited(i, done(ours) ? what : 'keep')).join('');
        const base = make(() => false);
        const merged = mergeTexts({ base, ours: make((o) => o), theirs: make((o) => !o) });
        expect(merged).toBe(make(() => true));
      }),
    );
  });
});

function edited(i: number, what: 'keep' | 'change' | 'remove' | 'add'): string {
  const first = { keep: `${i}\n`, change: `new ${i}\n`, remove: '', add: `${i}\nand ${i}\n` }[what];
  return `${first}${i} second\n${i} third\n`;
}
