import { describe, expect, it } from 'vitest';
import { bridgeUrl, checkKey } from './bridge-url.ts';

describe('the address of a server', () => {
  it.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ['HTTP://LocalHost:3000/bridge/v1', 'http://localhost:3000'],
    ['http://[::1]:3000/bridge/v1/', 'http://[::1]:3000'],
    ['https://vault.example/obsidian/', 'https://vault.example/obsidian'],
    ['https://vault.example/obsidian/bridge/v1', 'https://vault.example/obsidian'],
  ])('%s is %s', (text, url) => {
    expect(bridgeUrl(text)).toBe(url);
  });

  it.each([
    ['127.0.0.1:3000', '"127.0.0.1:3000" is not the address of a server'],
    ['localhost:3000', 'an address such as "http://127.0.0.1:3000"'],
    ['ftp://127.0.0.1', 'an address such as "http://127.0.0.1:3000"'],
    ['file:///etc/passwd', 'an address such as "http://127.0.0.1:3000"'],
    ['', 'an address such as "http://127.0.0.1:3000"'],
    ['http://127.0.0.1:3000/?key=a', 'must not have a "?"'],
    ['http://127.0.0.1:3000/#a', 'must not have a "?"'],
  ])('%j is refused', (text, message) => {
    expect(() => bridgeUrl(text)).toThrow(message);
  });

  it('is not repeated when it holds a password', () => {
    const refused = (): string => bridgeUrl('http://me:hunter2@127.0.0.1');
    expect(refused).toThrow('a user name or a password');
    expect(refused).not.toThrow('hunter2');
  });
});

describe('a key', () => {
  it.each([
    ['http://127.0.0.1:3000'],
    ['http://127.1.2.3:3000'],
    ['http://localhost:3000'],
    ['http://[::1]:3000'],
    ['https://vault.example'],
  ])('may be sent to %s', (url) => {
    expect(() => checkKey(url, 'obsi_abc-DEF', '--key-file')).not.toThrow();
  });

  it.each([
    ['http://192.168.1.5:3000', 'obsi_abc', 'Everybody in the network could read the key'],
    ['http://vault.example', 'obsi_abc', 'Everybody in the network could read the key'],
    ['http://localhost.example:3000', 'obsi_abc', 'Everybody in the network could read the key'],
    ['http://127.0.0.1:3000', 'two words', 'without spaces'],
    ['http://127.0.0.1:3000', 'one\r\nX-Evil: 1', 'without spaces'],
    ['http://127.0.0.1:3000', 'schlüssel', 'without spaces'],
  ])('may not be sent to %s when it is %j', (url, key, message) => {
    expect(() => checkKey(url, key, '--key-file')).toThrow(message);
    expect(() => checkKey(url, key, '--key-file')).not.toThrow(key);
  });
});
