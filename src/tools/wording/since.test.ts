import { expect, it } from 'vitest';
import { toVaultError } from '../../base/vault-error.ts';
import { sinceMs } from './since.ts';

const nowMs = Date.UTC(2026, 10, 9, 12);
const local = (...parts: [number, number, number, number?, number?, number?]): number =>
  new Date(...parts).getTime();

it.each<[string, number]>([
  ['30m', nowMs - 30 * 60_000],
  ['2h', nowMs - 2 * 3_600_000],
  ['3d', nowMs - 3 * 86_400_000],
  ['1w', nowMs - 7 * 86_400_000],
  ['2 h', nowMs - 2 * 3_600_000],
  ['90 min', nowMs - 90 * 60_000],
  ['1 hour ago', nowMs - 3_600_000],
  ['7 days', nowMs - 7 * 86_400_000],
  ['2 Weeks', nowMs - 14 * 86_400_000],
  ['2026-11-08', local(2026, 10, 8)],
  ['2026-11-08 18:30', local(2026, 10, 8, 18, 30)],
  ['2026-11-08T18:30:15', local(2026, 10, 8, 18, 30, 15)],
  ['2026-11-08T18:30Z', Date.UTC(2026, 10, 8, 18, 30)],
  ['2026-11-08T18:30:00+02:00', Date.UTC(2026, 10, 8, 16, 30)],
])('"%s" is the moment that a person means', (text, expected) => {
  expect(sinceMs(text, nowMs)).toEqual({ sinceMs: expected });
});

it.each([
  '',
  'lunchtime',
  '3',
  '-2h',
  '2 months',
  'days',
  '2026-13-01',
  '2026-11-08T25:00',
  '999999999d',
])('refuses "%s" and says what to write', (text) => {
  expect(() => sinceMs(text, nowMs)).toThrow(/is not a time for "since"; write 30m/);
  try {
    sinceMs(text, nowMs);
  } catch (error) {
    expect(toVaultError(error).code).toBe('invalid_input');
  }
});

it('repeats only the beginning of what is no time', () => {
  expect(() => sinceMs('x'.repeat(10_000), nowMs)).toThrow(/^"x{99}…" is not a time/);
});

it('asks for no time where none is given', () => {
  expect(sinceMs(undefined, nowMs)).toEqual({});
});
