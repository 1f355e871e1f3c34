import { describe, expect, it } from 'vitest';
import { readOwnerOptions } from './owner-options.ts';

describe('the options of owner', () => {
  it.each([
    ['set', { action: 'set', json: false }],
    ['set --passphrase-file p.txt', { action: 'set', json: false, passphraseFile: 'p.txt' }],
    ['set --vault /notes --vault=/work', { action: 'set', json: false }],
    ['show --json', { action: 'show', json: true }],
    ['reset', { action: 'reset', json: false, revoke: false, yes: false }],
    ['--revoke reset', { action: 'reset', json: false, revoke: true, yes: false }],
    ['reset --yes', { action: 'reset', json: false, revoke: false, yes: true }],
    ['code', { action: 'code', json: false }],
  ])('%s', (words, options) => {
    expect(readOwnerOptions(words.split(' '))).toEqual(options);
  });

  it.each([
    ['', 'must be followed by set, show, reset or code'],
    ['create', 'must be followed by'],
    ['set --revoke', '"--revoke" is for "owner reset"'],
    ['show --passphrase-file=x', '"--passphrase-file" is for "owner set"'],
    ['set --passphrase=x', '--passphrase'],
    ['set hunter2', 'A passphrase is never an argument'],
  ])('refuses "%s"', (words, message) => {
    const read = (): unknown => readOwnerOptions(words.split(' ').filter(Boolean));
    expect(read).toThrow(message);
    expect(read).not.toThrow('hunter2');
  });
});
