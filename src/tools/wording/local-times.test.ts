import { afterEach, expect, it, vi } from 'vitest';
import { localTimes } from './local-times.ts';

afterEach(() => vi.unstubAllEnvs());

const winter = Date.parse('2026-11-09T17:30:59Z');
const summer = Date.parse('2026-07-01T22:30:00Z');

it.each([
  ['UTC', '+00:00', '2026-11-09T17:30', '2026-07-01T22:30'],
  ['Europe/Berlin', '+01:00', '2026-11-09T18:30', '2026-07-01T23:30'],
  ['America/St_Johns', '-03:30', '2026-11-09T14:00', '2026-07-01T19:00'],
  ['Asia/Kathmandu', '+05:45', '2026-11-09T23:15', '2026-07-02T04:15'],
])('in %s all times have the offset %s', (zone, offset, inWinter, inSummer) => {
  vi.stubEnv('TZ', zone);
  const times = localTimes(winter);
  expect(times.zone).toBe(offset);
  expect([winter, summer].map(times.of)).toEqual([inWinter, inSummer]);
  // Time and offset together are the very time again.
  expect(Date.parse(`${times.of(summer)}${times.zone}`)).toBe(summer);
});

it('shows a time that no clock can have', () => {
  expect(localTimes(winter).of(1e300)).toMatch(/^\+275760-/);
  expect(localTimes(winter).of(-1e300)).toMatch(/^-271821-/);
});
