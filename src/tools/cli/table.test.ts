import { describe, expect, it } from 'vitest';
import { plainPaint } from '../wording/plain-voice.ts';
import { cutToWidth, displayWidth } from './display-width.ts';
import { markedLine } from './marked-line.ts';
import { rowTimes, table } from './table.ts';

describe('displayWidth and cutToWidth', () => {
  it.each([
    ['plain', 5, 'pla…'],
    ['日本語', 6, '日…'],
    ['cafe\u0301!', 5, 'caf…'],
    ['a👍b', 4, 'a👍b'],
    ['', 0, ''],
  ])('%s', (text, width, cut) => {
    expect(displayWidth(text)).toBe(width);
    expect(cutToWidth(text, 4)).toBe(cut);
  });
});

const columns = [
  { title: 'n', align: 'right', whole: true },
  { title: 'name' },
  { title: 'what' },
] as const;
const rows = [
  ['1', '日本', 'first'],
  ['22', 'b', 'a sentence that is far too long for a narrow terminal'],
];

describe('table', () => {
  it('is aligned, without titles and in full, where lines are not cut', () => {
    expect(table(columns, rows, plainPaint)).toEqual([
      ' 1  日本  first',
      '22  b     a sentence that is far too long for a narrow terminal',
    ]);
  });

  it('has titles and fits at a terminal', () => {
    expect(table(columns, rows, { ...plainPaint, columns: 30 })).toEqual([
      ' n  name  what',
      ' 1  日本  first',
      '22  b     a sentence that is …',
    ]);
  });

  it('never cuts an id, even if the line is too long then', () => {
    const ids = [{ title: 'id', whole: true }, { title: 'x' }] as const;
    const shown = table(ids, [['g0123456789abcdef', 'x'.repeat(40)]], {
      ...plainPaint,
      columns: 20,
    });
    expect(shown[1]).toBe(`g0123456789abcdef  ${'x'.repeat(11)}…`);
  });

  it('is nothing without rows', () => {
    expect(table(columns, [], { ...plainPaint, columns: 30 })).toEqual([]);
  });
});

describe('markedLine', () => {
  const paint = { ...plainPaint, match: (text: string) => `[${text}]` };
  const long = `${'before '.repeat(10)}needle ${'after '.repeat(10)}`.trim();
  const at = long.indexOf('needle');
  it.each([
    ['a needle', [[2, 8]], undefined, 'a [needle]'],
    ['a needle', [], 40, 'a needle'],
    ['a\u001b[2Jneedle', [[5, 11]], undefined, 'a·[2J[needle]'],
    [long, [[at, at + 6]], undefined, long.replace('needle', '[needle]')],
    [long, [[at, at + 6]], 40, '…before [needle] after after after after …'],
    [long, [[0, 6]], 40, '[before] before before before before befo…'],
    [
      long,
      [
        [0, 6],
        [at, at + 6],
      ],
      40,
      '[before] before before before before befo…',
    ],
    ['日本'.repeat(30), [[40, 42]], 40, '…日本日本日本[日本]日本日本日本日本日本日…'],
  ] as const)('%s', (text, marks, width, expected) => {
    const shown = markedLine(
      text,
      marks,
      width === undefined ? paint : { ...paint, columns: width },
      0,
    );
    expect(shown).toBe(expected);
    if (width !== undefined) {
      expect(displayWidth(shown.replaceAll(/[[\]]/g, ''))).toBeLessThanOrEqual(width);
    }
  });
});

it('rows that would read the same get the seconds of their time', () => {
  const timeMs = new Date(2026, 10, 18, 9, 5, 7).getTime();
  const rows = [
    { timeMs, text: 'Added to A' },
    { timeMs: timeMs + 2_000, text: 'Added to A' },
    { timeMs, text: 'Added to B' },
  ];
  expect(rowTimes(rows, plainPaint)).toEqual([
    '2026-11-18 09:05:07',
    '2026-11-18 09:05:09',
    '2026-11-18 09:05',
  ]);
});
