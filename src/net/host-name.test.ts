import { hostname, networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { limits } from '../base/limits.ts';
import { hostNameFrom, hostNameOf, isLoopback, OwnNames } from './host-name.ts';

describe('a Host header', () => {
  const rows: readonly [header: string, name: string | undefined][] = [
    ['localhost', 'localhost'],
    ['localhost:1065', 'localhost'],
    ['LocalHost.:1065', 'localhost'],
    ['nas_1.lan', 'nas_1.lan'],
    ['192.168.1.5:80', '192.168.1.5'],
    ['[::1]:1065', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[FD7A:115C::1]', 'fd7a:115c::1'],
    ['::1', undefined],
    ['[::1', undefined],
    ['[evil.com]', undefined],
    ['[fe80::1%25eth0]', undefined],
    ['', undefined],
    ['.', undefined],
    [':80', undefined],
    ['localhost:', undefined],
    ['localhost:123456', undefined],
    ['localhost:80:80', undefined],
    ['localhost, evil.com', undefined],
    ['localhost@evil.com', undefined],
    ['localhost/', undefined],
    ['localhost#', undefined],
    ['localhost\\', undefined],
    [' localhost', undefined],
    ['localhost\n', undefined],
    ['löcalhost', undefined],
  ];
  for (const [header, name] of rows) {
    it(`${JSON.stringify(header)} names ${name ?? 'nothing'}`, () => {
      expect(hostNameOf(header)).toBe(name);
    });
  }
});

describe('what a person calls a host', () => {
  const rows: readonly [text: string, name: string | undefined][] = [
    ['fd7a:115c:0::1', 'fd7a:115c::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[::1]', '::1'],
    ['NAS.lan', 'nas.lan'],
    ['https://nas.lan', undefined],
  ];
  for (const [text, name] of rows) {
    it(`${text} is ${name ?? 'no host'}`, () => {
      expect(hostNameFrom(text)).toBe(name);
    });
  }
});

describe('loopback', () => {
  const rows: readonly [name: string, is: boolean][] = [
    ['localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['127.evil.com', false],
    ['127.0.0.1.evil.com', false],
    ['localhost.evil.com', false],
    ['128.0.0.1', false],
    ['0.0.0.0', false],
  ];
  for (const [name, is] of rows) {
    it(`${is ? 'has' : 'does not have'} ${name}`, () => {
      expect(isLoopback(name)).toBe(is);
    });
  }
});

describe('OwnNames', () => {
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
});
