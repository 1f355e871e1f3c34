import { describe, expect, it } from 'vitest';
import { timeAgo } from '../../tools/wording/time-ago.ts';
import { clockTime, dayAndTime, dayHeading } from './times.ts';

const zone = 'Europe/Berlin';
const nowMs = Date.UTC(2026, 10, 16, 15, 25);

describe('times', () => {
  it.each([
    [Date.UTC(2026, 10, 16, 15, 20), 'Today, Monday 16 November', 'today, 16:20'],
    [Date.UTC(2026, 10, 15, 23, 30), 'Today, Monday 16 November', 'today, 00:30'],
    [Date.UTC(2026, 10, 15, 12, 0), 'Yesterday, Sunday 15 November', 'yesterday, 13:00'],
    [Date.UTC(2026, 10, 9, 12, 0), 'Monday 9 November', '9 November, 13:00'],
    [Date.UTC(2025, 10, 9, 12, 0), 'Sunday, 9 November 2025', '9 November 2025, 13:00'],
  ])('%d', (timeMs, heading, sentence) => {
    expect(dayHeading(timeMs, { nowMs, zone })).toBe(heading);
    expect(dayAndTime(timeMs, { nowMs, zone })).toBe(sentence);
    expect(sentence).toContain(clockTime(timeMs, zone));
  });

  it.each([
    [5_000, 'just now'],
    [3 * 60_000, '3 minutes ago'],
    [26 * 3_600_000, 'yesterday'],
  ])('%d ms ago', (ms, expected) => {
    expect(timeAgo(nowMs - ms, nowMs)).toBe(expected);
  });
});
