import fc from 'fast-check';
import moment from 'moment';
import { describe, expect, it } from 'vitest';
import { formatDate } from './format-date.ts';
import { addDuration, parseDuration, parseMoment } from './moment-dates.ts';

const nowMs = new Date(2026, 10, 17, 9, 5, 7).getTime();
const days = fc.integer({ min: 0, max: 40_000 }).map((day) => new Date(1990, 0, day, 12).getTime());

/** The time that the library moment reads from a text; undefined when it finds no date there. */
function judged(text: string, format: string): number | undefined {
  const time = moment(text, format);
  return time.isValid() ? time.valueOf() : undefined;
}

describe('parseMoment', () => {
  it.each([
    'YYYY-MM-DD',
    'DD.MM.YY',
    'D MMMM YYYY',
    'dddd, MMMM Do, YYYY',
    'ddd MMM D YYYY HH:mm:ss',
    '[Week] gggg-[W]ww',
    'GGGG-[W]WW',
    'YYYYMMDD',
    'YYYY',
    'YYYY-MM',
  ])('reads what formatDate writes as moment reads it: %s', (format) => {
    fc.assert(
      fc.property(days, (timeMs) => {
        const text = formatDate(timeMs, format);
        expect(parseMoment(text, format, nowMs)).toBe(judged(text, format));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['2026-11-17 Tuesday, long', 'YYYY-MM-DD'],
    ['Diary 2026-1-7', 'YYYY-MM-DD'],
    ['2026-02-30', 'YYYY-MM-DD'],
    ['2026-13-01', 'YYYY-MM-DD'],
    ['Monday 2026-11-17', 'dddd YYYY-MM-DD'],
    ['25:00', 'HH:mm'],
    ['no date', 'YYYY-MM-DD'],
    ['', 'YYYY'],
  ])('agrees with moment about %s as %s', (text, format) => {
    expect(parseMoment(text, format, nowMs)).toBe(judged(text, format));
  });

  it('takes what the format leaves out from now', () => {
    expect(formatDate(parseMoment('24', 'DD', nowMs) ?? 0, 'YYYY-MM-DD HH:mm')).toBe(
      '2026-11-24 00:00',
    );
    expect(formatDate(parseMoment('10:30', 'HH:mm', nowMs) ?? 0, 'YYYY-MM-DD HH:mm')).toBe(
      '2026-11-17 10:30',
    );
  });

  it.each(['Q YYYY', 'X', 'YYYY-MM-DDTHH:mmZ', '[only text]', ''])(
    'does not guess at other formats: "%s"',
    (format) => {
      expect(parseMoment('4 2026-11-17T10:00+02:00', format, nowMs)).toBeUndefined();
    },
  );
});

describe('parseDuration and addDuration', () => {
  it.each(['P1M', '-P1M', 'P-1M', 'P1Y2M3W4DT5H6M7S', 'P2W', 'PT36H', '+P30D', 'P-1Y1D', 'P0D'])(
    'add %s as moment does',
    (text) => {
      const duration = parseDuration(text) ?? { months: 0, days: 0, ms: Number.NaN };
      fc.assert(
        fc.property(days, (timeMs) => {
          const wanted = moment(timeMs).add(moment.duration(text)).valueOf();
          expect(addDuration(timeMs, duration)).toBe(wanted);
        }),
        { numRuns: 300 },
      );
    },
  );

  it.each(['', '1 day', 'P1.5D', 'P1D2M', '1.00:00', 'P123456Y'])('does not read "%s"', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
