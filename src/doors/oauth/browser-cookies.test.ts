import { describe, expect, it } from 'vitest';
import { issuerOf } from '../../oauth/grants/issuer.ts';
import { readCookies } from './browser-cookies.ts';

const issuer = issuerOf('http://localhost:1065');
if (issuer === undefined) throw new Error('no issuer');

function read(cookie: string): object {
  return readCookies(new Headers({ cookie }), issuer as NonNullable<typeof issuer>);
}

describe('cookies that a browser sends', () => {
  const rows: readonly [cookie: string, read: object][] = [
    ['vd_owner=a; vd_device=b.c; vd_browser=d', { owner: 'a', device: 'b.c', browser: 'd' }],
    ['vd_owner=a;vd_owner=b', { owner: 'a' }],
    ['x;  vd_owner=a  ;y', { owner: 'a' }],
    ['vd_owner =a; \u00a0vd_owner=b; \tvd_device=c; vd_device\u00a0=d', {}],
    ['vd_owner=; =a; vd_owner', {}],
    ['vd_owner=a b', {}],
    ['vd_owner=a=b', {}],
    ['__Host-vd_owner=a; VD_OWNER=b; vd_owner2=c', {}],
    [`vd_owner=${'a'.repeat(301)}; vd_owner=b`, { owner: 'b' }],
  ];
  it.each(rows)('%s', (cookie, expected) => {
    expect(read(cookie)).toEqual(expected);
  });

  it('are read in a time that grows with their length only', () => {
    // Where each space begins a new look at all that follow, one of them takes longer than a test may.
    const spaces = ' '.repeat(1_000_000);
    for (const gap of [`a=${spaces}x`, `a=b${spaces}x`, spaces]) {
      expect(read(`${gap};vd_owner=a`)).toEqual({ owner: 'a' });
    }
  });
});
