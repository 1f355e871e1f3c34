import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextEdit } from './text-edit.ts';
import { applyEdits } from './text-edit.ts';

const edit = (start: number, end: number, text: string): TextEdit => ({
  range: { start, end },
  text,
});

describe('applyEdits', () => {
  const rows: [name: string, edits: TextEdit[], result: string][] = [
    ['nothing', [], 'abcdef'],
    ['an insertion', [edit(0, 0, 'X')], 'Xabcdef'],
    ['an insertion at the end', [edit(6, 6, 'X')], 'abcdefX'],
    ['edits in any order', [edit(4, 5, 'Y'), edit(1, 2, '')], 'acdYf'],
    ['edits that touch', [edit(0, 3, 'x'), edit(3, 6, 'y')], 'xy'],
    ['insertions at one place in their order', [edit(2, 2, '1'), edit(2, 2, '2')], 'ab12cdef'],
    ['an insertion before a deletion', [edit(2, 4, ''), edit(2, 2, 'X')], 'abXef'],
  ];
  it.each(rows)('applies %s', (_, edits, result) => {
    expect(applyEdits('abcdef', edits)).toBe(result);
  });

  const wrong: [name: string, edits: TextEdit[]][] = [
    ['overlap', [edit(0, 3, ''), edit(2, 4, '')]],
    ['leave the text', [edit(5, 7, '')]],
    ['run backwards', [edit(3, 2, '')]],
  ];
  it.each(wrong)('asserts that edits do not %s', (_, edits) => {
    expect(() => applyEdits('abcdef', edits)).toThrow('assertion failed');
  });

  it('keeps every character outside the edits', () => {
    const cuts = fc.array(fc.nat(60), { maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), cuts, fc.string(), (text, cuts, put) => {
        const places = cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b);
        const edits: TextEdit[] = [];
        let expected = '';
        let done = 0;
        for (let i = 0; i + 1 < places.length; i += 2) {
          const [start = 0, end = 0] = places.slice(i, i + 2);
          edits.push(edit(start, end, put));
          expected += text.slice(done, start) + put;
          done = end;
        }
        expect(applyEdits(text, edits)).toBe(expected + text.slice(done));
      }),
    );
  });
});
