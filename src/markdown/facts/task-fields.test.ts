import { describe, expect, it } from 'vitest';
import { taskDates, taskFields } from './task-fields.ts';

const found = (text: string) =>
  taskFields(text).map(({ kind, value, range, valueRange }) => [
    kind,
    value,
    text.slice(range.start, range.end),
    text.slice(valueRange.start, valueRange.end),
  ]);

describe('taskFields', () => {
  type Row = readonly [text: string, ...fields: (readonly [kind: string, written: string])[]];
  const rows: readonly Row[] = [
    ['plain text (with brackets) [and these] 2026-01-01'],
    ['pay 📅 2026-01-02', ['due', '📅 2026-01-02']],
    ['pay 📅2026-01-02 and more', ['due', '📅2026-01-02']],
    ['a 📆 2026-01-02 🗓️ 2026-01-03', ['due', '📆 2026-01-02'], ['due', '🗓️ 2026-01-03']],
    ['⏳ 2026-01-02 ⌛ 2026-01-03', ['scheduled', '⏳ 2026-01-02'], ['scheduled', '⌛ 2026-01-03']],
    [
      '🛫 2026-01-01 ✅ 2026-01-02 ➕ 2026-01-03 ❌ 2026-01-04',
      ['start', '🛫 2026-01-01'],
      ['done', '✅ 2026-01-02'],
      ['created', '➕ 2026-01-03'],
      ['cancelled', '❌ 2026-01-04'],
    ],
    ['🔺 b ⏬️', ['priority', '🔺'], ['priority', '⏬️']],
    ['📅 tomorrow, 📅 2026-1-2'],
    ['a [due:: 2026-01-02] b', ['due', '[due:: 2026-01-02]']],
    ['a (due::2026-01-02  ), b', ['due', '(due::2026-01-02  )']],
    ['[  completion::2026-01-02]', ['done', '[  completion::2026-01-02]']],
    ['[due:: soon] [due:: 2026-01-02) [x due:: 2026-01-02]'],
    ['[[due:: 2026-01-02]]', ['due', '[due:: 2026-01-02]']],
  ];
  it.each(rows.map(([text, ...fields]) => ({ text, fields })))('$text', ({ text, fields }) => {
    expect(found(text).map(([kind, , written]) => [kind, written])).toEqual(fields);
  });

  it('knows where values stand, without the spaces around them', () => {
    expect(found('a 🔁 every 2 weeks  📅 2026-01-02 🏁 delete [repeat::  every day ]')).toEqual([
      ['repeat', 'every 2 weeks', '🔁 every 2 weeks', 'every 2 weeks'],
      ['due', '2026-01-02', '📅 2026-01-02', '2026-01-02'],
      ['onCompletion', 'delete', '🏁 delete', 'delete'],
      ['repeat', 'every day', '[repeat::  every day ]', 'every day'],
    ]);
    expect(found('🆔 abc-1 ⛔ x1, y_2 z')).toEqual([
      ['id', 'abc-1', '🆔 abc-1', 'abc-1'],
      ['dependsOn', 'x1, y_2', '⛔ x1, y_2', 'x1, y_2'],
    ]);
  });

  it('takes the first of several dates of a kind', () => {
    expect(taskDates(taskFields('📅 2026-01-03 📅 2026-01-02 ➕ 2026-01-01'))).toEqual({
      due: '2026-01-03',
      created: '2026-01-01',
    });
  });

  it.each(['[due:: ', '(due::', '📅 ', '🔁 a ', '⛔ a, ', '[ ', '🔁   '])(
    'reads a long line of %j',
    (piece) => {
      expect(taskFields(piece.repeat(200_000)).length).toBeLessThanOrEqual(200_000);
    },
  );

  // Where this is not linear it takes minutes, and the test ends by its time limit.
  it.each([
    '[',
    '[due::',
    '(repeat::',
    '[id:: a',
    '📅',
    '🔁',
    '🔁 a',
    '🆔',
    '⛔',
    '⛔ a',
    '⛔ a,',
    '🏁',
  ])('reads many spaces after %j', (piece) => {
    const spaces = ' '.repeat(300_000);
    expect(taskFields(`${piece}${spaces}(`).length).toBeLessThanOrEqual(1);
    expect(taskFields(`${piece}${spaces}`.repeat(2)).length).toBeLessThanOrEqual(2);
  });

  it('knows the value of a field in brackets with many spaces', () => {
    const spaces = ' '.repeat(300_000);
    expect(found(`[due::${spaces}2026-01-02${spaces}]`).map(([, ...rest]) => rest)).toEqual([
      ['2026-01-02', `[due::${spaces}2026-01-02${spaces}]`, '2026-01-02'],
    ]);
  });
});
