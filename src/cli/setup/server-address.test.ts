import { describe, expect, it } from 'vitest';
import { accessFor, addressText, readAddress } from './server-address.ts';

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
