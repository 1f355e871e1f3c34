import { expect, it } from 'vitest';
import { formatDate } from './format-date.ts';
import { parseDate } from './parse-date.ts';

const nowMs = new Date(2024, 1, 29, 23, 59, 30).getTime();

it.each([
  ['today', '2024-02-29 23:59:30'],
  ['Yesterday', '2024-02-28 23:59:30'],
  [' tomorrow ', '2024-03-01 23:59:30'],
  ['2023-01-01', '2023-01-01 23:59:30'],
  ['0099-12-31', '0099-12-31 23:59:30'],
])('understands %s', (text, expected) => {
  expect(formatDate(parseDate(text, nowMs), 'YYYY-MM-DD HH:mm:ss')).toBe(expected);
});

it.each(['', 'monday', '2023-1-1', '2023-02-29', '2023-13-01', '2023-00-10', '2023-01-01T10:00'])(
  'refuses "%s"',
  (text) => {
    expect(() => parseDate(text, nowMs)).toThrow(/YYYY-MM-DD/);
  },
);
