import { describe, expect, it } from 'vitest';
import { foldPassphrase, passphraseProblem } from './passphrase.ts';

const names = ['Vault.Example.com', 'notes.example.org:8443'];

describe('a new passphrase', () => {
  it.each([
    'four words of mine',
    'twelve chars',
    'ein Satz mit Ümläuten',
    '秘密の合言葉は長いほど良いです',
    'vault.example.com is mine',
    ' leading and trailing ',
    `${'x'.repeat(1023)}y`,
  ])('may be %j', (passphrase) => {
    expect(passphraseProblem(passphrase, names)).toBeUndefined();
  });

  it.each([
    ['', 'at least 12'],
    ['elevenchars', 'at least 12'],
    ['🗝🗝🗝🗝🗝🗝ab', 'at least 12'],
    [`${'x'.repeat(1024)}y`, 'longer than 1024 bytes'],
    ['é'.repeat(513), 'longer than 1024 bytes'],
    // One character that NFKC writes as eighteen.
    ['\ufdfa'.repeat(100), 'longer than 1024 bytes'],
    ['passwordpassword', 'anybody would try'],
    ['Password-Password', 'anybody would try'],
    ['Correct Horse Battery Staple', 'anybody would try'],
    ['ｐａｓｓｗｏｒｄ１２３４', 'anybody would try'],
    ['aaaaaaaaaaaaaaaa', 'anybody would try'],
    [' '.repeat(12), 'anybody would try'],
    ['vault.example.com', 'name of the server'],
    ['VAULT.EXAMPLE.COM', 'name of the server'],
    ['https://vault.example.com', 'name of the server'],
    ['https://vault.example.com/mcp', 'name of the server'],
    ['notes.example.org:8443', 'name of the server'],
  ])('must not be %j', (passphrase, problem) => {
    expect(passphraseProblem(passphrase, names)).toContain(problem);
  });

  it('is the same however its characters are written', () => {
    expect(foldPassphrase('Ümläut ﬁ')).toBe(foldPassphrase('U\u0308mla\u0308ut fi'));
  });
});
