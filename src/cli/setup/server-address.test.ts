import { type AddressInfo, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Shell } from '../shell/shell.ts';
import {
  accessFor,
  addressText,
  checkFree,
  movedWarnings,
  readAddress,
  sayTaken,
} from './server-address.ts';

describe('the address of a server', () => {
  it.each([
    ['this-machine', '127.0.0.1', undefined],
    ['network', '0.0.0.0', undefined],
    ['192.168.1.5', '192.168.1.5', undefined],
    ['::1', '::1', undefined],
    ['https://Vault.example.com/', '127.0.0.1', 'https://vault.example.com'],
    ['https://vault.example.com/notes/mcp', '127.0.0.1', 'https://vault.example.com/notes'],
  ])('%s', (text, host, publicUrl) => {
    const address = readAddress(text);
    expect(address).toEqual({ host, ...(publicUrl === undefined ? {} : { publicUrl }) });
    expect(readAddress(addressText(address))).toEqual(address);
  });

  it.each([
    'http://vault.example.com',
    'https://',
    'https://a.example?b',
    'https://me:pass@a.example',
    'lan',
    'a b.c',
    '',
  ])('refuses %j', (text) => {
    expect(() => readAddress(text)).toThrow(/no address/);
    expect(() => readAddress(text)).not.toThrow(/pass@/);
  });
});

it.each([
  ['https://vault.example.com/mcp', /^Your server's address is https:\/\/vault\.example\.com\. /],
  ['https://vault.example.com', /^$/],
  ['this-machine', /^$/],
])('what is taken of %s is said', (typed, expected) => {
  const stderr = new PassThrough();
  sayTaken({ stderr } as unknown as Shell, typed, readAddress(typed));
  expect(String(stderr.read() ?? '')).toMatch(expected);
});

it.each([
  ['another address', 'https://b.example', /^The address https:\/\/a\.example becomes .*again at/],
  ['the same', 'https://a.example', undefined],
  ['none', 'this-machine', /^The address https:\/\/a\.example goes/],
])('apps have to sign in again after a change to %s', (_, to, expected) => {
  const address = readAddress('https://a.example');
  const next = readAddress(to);
  const access = next.publicUrl === undefined ? {} : ({ access: 'sign-in' } as const);
  const decided = { address: next, ...access };
  const [warning] = movedWarnings({ address, access: 'sign-in' }, decided);
  if (expected === undefined) expect(warning).toBeUndefined();
  else expect(warning).toMatch(expected);
  expect(movedWarnings({ address, access: 'token' }, decided)).toEqual([]);
});

it('a port that another program has is told, with the command that shows which', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const folder = tempFolder({ 'a.md': '' });
  const env = { HOME: folder, USERPROFILE: folder };
  // Setup has made a server for this port, but none of its vault runs.
  const before = { port, vaultPath: folder };
  const shows = process.platform === 'linux' ? `ss -ltnp 'sport = :${port}'` : '--port';
  await expect(checkFree({ host: '127.0.0.1', port }, { before, env })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/is in use, perhaps by another Vaultdoor/),
  });
  await expect(checkFree({ host: '127.0.0.1', port }, { before, env })).rejects.toThrow(shows);
});

describe('how clients come in', () => {
  const here = { host: '127.0.0.1' };
  const network = { host: '0.0.0.0' };
  const there = { host: '127.0.0.1', publicUrl: 'https://vault.example.com' };
  const elsewhere = { host: '127.0.0.1', publicUrl: 'https://other.example.com' };
  it.each([
    ['a server on this machine', here, {}, undefined],
    ['a server in the network', network, {}, 'token'],
    ['a server on the internet', there, {}, 'sign-in'],
    ['the same one with a token', there, { access: 'token', address: there }, 'token'],
    ['another address', elsewhere, { access: 'token', address: there }, 'sign-in'],
    // The proxy may still lead there.
    ['one that was on the internet', here, { access: 'sign-in', address: there }, 'token'],
    ['one that was in the network', here, { access: 'token', address: network }, 'token'],
  ] as const)('is chosen for %s', (_, address, before, access) => {
    expect(accessFor(address, { before })).toBe(access);
  });
});
