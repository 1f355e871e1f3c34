import { hostname, networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { limits } from '../base/limits.ts';
import { hostNameFrom } from './host-name.ts';
import { OwnNames } from './own-names.ts';

it('has the names and addresses of this machine, and no others', () => {
  const own = new OwnNames(() => 0);
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => hostNameFrom(address) ?? ''),
  );
  const name = hostNameFrom(hostname()) ?? '';
  for (const one of [name, `${name}.local`, `${name}.lan`, ...addresses]) {
    expect([one, own.has(one)]).toEqual([one, true]);
  }
  expect(own.has('evil.com')).toBe(false);
  expect(own.has(`${name}.evil.com`)).toBe(false);
});

it('finds a network that comes up later, without asking the system each time', () => {
  let nowMs = 1_000_000;
  let looks = 0;
  let names = ['192.168.1.5'];
  const look = (): readonly string[] => {
    looks += 1;
    return names;
  };
  const own = new OwnNames(() => nowMs, look);
  expect(own.has('192.168.1.5')).toBe(true);
  names = ['192.168.1.5', 'FD7A:115C:0::1'];
  nowMs += limits.ownNamesMs - 1;
  expect(own.has('fd7a:115c::1')).toBe(false);
  expect(looks).toBe(1);
  nowMs += 1;
  expect(own.has('fd7a:115c::1')).toBe(true);
  expect(looks).toBe(2);
});
