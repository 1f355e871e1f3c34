import { describe, expect, it } from 'vitest';
import { readSetupOptions } from './setup-options.ts';

describe('the options of setup', () => {
  it.each([
    ['--yes --dry-run', /contradict/],
    ['--vault a --vault b', /one vault at a time/],
    ['--port 1', /"--port" is for --server/],
    ['--server --client cursor', /leave it out/],
    ['--server --port 0', /cannot be 0/],
    ['--server --port 1.5', /up to 65535/],
    ['--undo --allow read', /means nothing with --undo/],
    ['--server --undo --vault a', /"--vault" means nothing with --server --undo/],
    ['--server --access token --passphrase-file a', /is for --access sign-in/],
    ['--allow all', /must be one of change, propose, read/],
    ['now', /takes options only/],
  ])('refuse %s', (words, message) => {
    expect(() => readSetupOptions(words.split(' '))).toThrow(message);
  });

  it('with a passphrase mean a server at which clients sign in', () => {
    const { server } = readSetupOptions(['--server', '--passphrase-file', 'a']);
    expect(server).toEqual({ access: 'sign-in', passphraseFile: 'a' });
  });
});
