import { describe, expect, it } from 'vitest';
import { nodeOAuthCrypto as crypto } from './node-oauth-crypto.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('the hashes of Node', () => {
  it('are those of the standards', async () => {
    expect(hex(crypto.sha256('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(hex(crypto.sha256(Buffer.from('abc')))).toBe(hex(crypto.sha256('abc')));
    // RFC 4231, case 2, and RFC 7914, section 12.
    expect(hex(crypto.hmac('Jefe', 'what do ya want for nothing?'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    const salt = Buffer.from('NaCl');
    expect(hex(await crypto.scrypt('password', salt, { n: 1024, r: 8, p: 16 }))).toBe(
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162',
    );
  });

  it('have the memory for the cost of a real passphrase', async () => {
    const cost = { n: 2 ** 15, r: 8, p: 1 };
    expect(await crypto.scrypt('x', new Uint8Array(16), cost)).toHaveLength(32);
  });

  it('are compared whole', () => {
    const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
    expect(crypto.isEqual(bytes('abc'), bytes('abc'))).toBe(true);
    expect(crypto.isEqual(bytes('abc'), bytes('abd'))).toBe(false);
    expect(crypto.isEqual(bytes('abc'), bytes('ab'))).toBe(false);
    expect(crypto.isEqual(bytes(''), bytes(''))).toBe(true);
  });

  it.each([
    {},
    { kty: 'EC' },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
    { kty: 'oct', k: 'AA' },
  ])('say no to the key %j', (jwk: Readonly<Record<string, string>>) => {
    const data = new Uint8Array(8);
    expect(crypto.verify({ algorithm: -7, jwk }, data, data)).toBe(false);
  });
});
