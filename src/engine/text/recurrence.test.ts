import { describe, expect, it } from 'vitest';
import { dayNumber, dayText } from './day-number.ts';
import { nextRecurrence, parseRecurrence } from './recurrence.ts';

function next(rule: string, from: string): string | undefined {
  const parsed = parseRecurrence(rule);
  const day = parsed && nextRecurrence(parsed, dayNumber(from) ?? Number.NaN);
  return day === undefined ? undefined : dayText(day);
}

// The months are the examples of the Tasks plugin's documentation and of its demo vault.
describe('nextRecurrence', () => {
  it.each([
    ['every day', '2026-12-31', '2027-01-01'],
    ['every 10 days', '2026-02-20', '2026-03-02'],
    ['Every Week', '2026-11-17', '2026-11-24'],
    ['every 2 weeks', '2026-11-17', '2026-12-01'],
    ['every weekday', '2026-11-20', '2026-11-23'],
    ['every weekday', '2026-11-17', '2026-11-18'],
    ['every Monday', '2026-11-16', '2026-11-23'],
    ['every Sunday', '2021-04-25', '2021-05-02'],
    ['every week on Monday', '2024-03-04', '2024-03-11'],
    ['every Tuesday and Friday', '2026-11-17', '2026-11-20'],
    ['every week on Sunday, Tuesday', '2026-11-17', '2026-11-22'],
    ['every 2 weeks on Monday', '2026-11-17', '2026-11-30'],
    ['every 2 weeks on Monday, Thursday', '2026-11-17', '2026-11-19'],
    ['every month', '2022-01-31', '2022-02-28'],
    ['every month', '2024-01-31', '2024-02-29'],
    ['every 3 months', '2026-11-30', '2027-02-28'],
    ['every month', '2026-12-15', '2027-01-15'],
    ['every year', '2024-02-29', '2025-02-28'],
    ['every 4 years', '2024-02-29', '2028-02-29'],
    ['every month on the 31st', '2022-08-31', '2022-10-31'],
    ['every month on the 31st', '2021-11-30', '2021-12-31'],
    ['every month on the 25th', '2022-04-25', '2022-05-25'],
    ['every month on the last', '2022-01-31', '2022-02-28'],
    ['every month on the 1st and 15th', '2026-11-01', '2026-11-15'],
    ['every 2 months on the 15th', '2026-11-15', '2027-01-15'],
    ['every month on the 2nd Tuesday', '2026-11-10', '2026-12-08'],
    ['every month on the last Friday', '2026-11-17', '2026-11-27'],
    ['every month on the 5th Monday', '2026-11-30', '2027-03-29'],
    ['every 12 months on the 30th', '2026-02-01', undefined],
    ['every day to Bob', '2026-12-31', '2027-01-01'],
    ['every 2 weeks on Monday, please', '2026-11-17', undefined],
    ['every 2 weeks on Monday please', '2026-11-17', '2026-11-30'],
    ['every day until Monday', '2026-11-17', undefined],
  ])('%s from %s', (rule, from, expected) => {
    expect(next(rule, from)).toBe(expected);
  });

  it('knows when a rule counts from the day on which the task is done', () => {
    expect(parseRecurrence('every 2 days when done')?.whenDone).toBe(true);
    expect(parseRecurrence('every 2 days')?.whenDone).toBe(false);
  });

  it.each([
    'every',
    'daily',
    'every 0 days',
    'every other day',
    'every January on the 15th',
    'every year on March 1st',
    'every day on Monday',
    'every month on the 2nd last Friday',
    'every month on the 32nd',
    'every Monday and someday',
    'every week for 3 times',
    'spaced',
  ])('does not know %s', (rule) => {
    expect(parseRecurrence(rule)).toBeUndefined();
  });
});
