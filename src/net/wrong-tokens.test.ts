import { expect, it } from 'vitest';
import { limits } from '../base/limits.ts';
import { WrongTokens } from './wrong-tokens.ts';

function addTimes(wrong: WrongTokens, times: number, address: string): number | undefined {
  let wait: number | undefined;
  for (let count = 0; count < times; count++) wait = wrong.add(address);
  return wait;
}

it('lets an address be wrong so often a minute, and then says how long to wait', () => {
  let nowMs = 5_000_000;
  const wrong = new WrongTokens(() => nowMs);
  expect(addTimes(wrong, limits.wrongTokensMax, '10.0.0.1')).toBeUndefined();
  expect(wrong.add('10.0.0.1')).toBe(60);
  expect(wrong.add('10.0.0.2')).toBeUndefined();
  nowMs += 45_500;
  expect(wrong.add('10.0.0.1')).toBe(15);
  nowMs += 14_499;
  expect(wrong.add('10.0.0.1')).toBe(1);
  nowMs += 1;
  expect(wrong.add('10.0.0.1')).toBeUndefined();
});

it('begins anew when the clock is set back', () => {
  let nowMs = 5_000_000;
  const wrong = new WrongTokens(() => nowMs);
  addTimes(wrong, limits.wrongTokensMax + 1, '10.0.0.1');
  nowMs -= 3_600_000;
  expect(wrong.add('10.0.0.1')).toBeUndefined();
});

it('counts addresses without number together', () => {
  const wrong = new WrongTokens(() => 0);
  for (let at = 0; at < limits.wrongTokenAddressesMax; at++) wrong.add(`known ${at}`);
  expect(addTimes(wrong, limits.wrongTokensMax, 'new 1')).toBeUndefined();
  expect(wrong.add('new 2')).toBe(60);
  expect(wrong.add('known 1')).toBeUndefined();
});
