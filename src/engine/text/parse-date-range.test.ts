import { describe, expect, it } from 'vitest';
import { parseDateRange } from './parse-date-range.ts';

/** A Tuesday. */
const nowMs = new Date(2026, 10, 17, 23, 30).getTime();

describe('parseDateRange', () => {
  it.each<readonly [asked: string, from: string | undefined, to: string | undefined]>([
    ['2026-01-31', '2026-01-31', '2026-01-31'],
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['2024', '2024-01-01', '2024-12-31'],
    ['today', '2026-11-17', '2026-11-17'],
    ['Tomorrow', '2026-11-18', '2026-11-18'],
    ['yesterday', '2026-11-16', '2026-11-16'],
    ['this week', '2026-11-16', '2026-11-22'],
    ['next week', '2026-11-23', '2026-11-29'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['next month', '2026-12-01', '2026-12-31'],
    ['this year', '2026-01-01', '2026-12-31'],
    ['+7d', '2026-11-24', '2026-11-24'],
    ['-2w', '2026-11-03', '2026-11-03'],
    ['overdue', undefined, '2026-11-16'],
    ['<2025', undefined, '2024-12-31'],
    ['< 2025-01-01', undefined, '2024-12-31'],
    ['before 2025', undefined, '2024-12-31'],
    ['<=2025', undefined, '2025-12-31'],
    ['by today', undefined, '2026-11-17'],
    ['on or before today', undefined, '2026-11-17'],
    ['>2025', '2026-01-01', undefined],
    ['after today', '2026-11-18', undefined],
    ['>=2026-02', '2026-02-01', undefined],
    ['since yesterday', '2026-11-16', undefined],
    ['2026-01-01..2026-01-07', '2026-01-01', '2026-01-07'],
    ['today .. +7d', '2026-11-17', '2026-11-24'],
    ['2026..', '2026-01-01', undefined],
    ['..2025', undefined, '2025-12-31'],
    ['>=2026-01-01 <2026-02-01', '2026-01-01', '2026-01-31'],
    ['after 2025, before 2027', '2026-01-01', '2026-12-31'],
    ['2026-11, <=2026-11-02', '2026-11-01', '2026-11-02'],
    ['2026-11-01, 2026-11-01', '2026-11-01', '2026-11-01'],
    [Array(10).fill('>2025').join(', '), '2026-01-01', undefined],
    ['any', undefined, undefined],
  ])('%s', (asked, from, to) => {
    expect(parseDateRange(asked, nowMs)).toEqual({ ...(from && { from }), ...(to && { to }) });
  });

  it('knows none', () => {
    expect(parseDateRange('None', nowMs)).toEqual({ none: true });
  });

  it.each([
    '2026-11-01, 2026-11-02',
    '2026-11-01 and 2026-11-02',
    '>2027 and <2026',
    '2026-02-01..2026-01-01',
    'overdue, today',
    Array(11).fill('>2025').join(', '),
    Array(1_000).fill('>2025').join(', '),
  ])('refuses %j, which no day fits', (asked) => {
    expect(() => parseDateRange(asked, nowMs)).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('a..b') }),
    );
  });

  it.each([
    '',
    ',',
    ','.repeat(100),
    'soon',
    '2026-02-30',
    '2026-13',
    '2026-00',
    '2026-1-1',
    '<',
    '..',
    '<2025..2026',
    '<<2025',
    '<none',
    '1..2..3',
  ])('refuses %j', (asked) => {
    expect(() => parseDateRange(asked, nowMs)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringContaining('overdue'),
      }),
    );
  });
});
