import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPassphrase } from './read-passphrase.ts';
import type { Shell } from './shell.ts';

/** Reads a passphrase from this input, and answers what was shown meanwhile, too. */
async function read(
  input: string | Uint8Array,
  {
    isTTY = false,
    isOpen = false,
    problem = (_typed: string): string | undefined => undefined,
  } = {},
): Promise<{ readonly passphrase: string; readonly shown: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => undefined });
  const stderr = new PassThrough();
  stdin.write(input);
  if (!isOpen) stdin.end();
  const passphrase = await readPassphrase(
    {
      stdin: stdin as unknown as Shell['stdin'],
      stderr: stderr as unknown as Shell['stderr'],
      signal: new AbortController().signal,
    },
    problem,
  );
  return { passphrase, shown: String(stderr.read() ?? '') };
}

describe('a passphrase from stdin', () => {
  it.each([
    ['two lines', 'four words\nfour words\n', 'four words'],
    ['two lines without the last line end', 'four words\nfour words', 'four words'],
    ['lines of Windows', 'four words\r\nfour words\r\n', 'four words'],
    ['spaces at both ends', ' a \n a \n', ' a '],
    ['other letters', 'Ümläut 日本\nÜmläut 日本\n', 'Ümläut 日本'],
    ['more lines', 'a\na\nb\n', 'a'],
    ['the longest lines', `${'x'.repeat(1024)}\n`.repeat(2), 'x'.repeat(1024)],
  ])('is read from %s', async (_, input, passphrase) => {
    expect(await read(input)).toEqual({ passphrase, shown: '' });
  });

  it('is read as soon as both lines are there', async () => {
    expect((await read('a\na\n', { isOpen: true })).passphrase).toBe('a');
  });

  it.each([
    ['nothing', '', 'twice, as two lines'],
    ['one line', 'a', 'twice, as two lines'],
    ['lines that differ', 'a\nb\n', 'not the same'],
    ['one line with its end', 'a\n', 'twice, as two lines'],
    ['a line and an empty one', 'a\n\n', 'not the same'],
    ['far too much', 'x'.repeat(100_000), 'twice, as two lines'],
    ['something that is not UTF-8', Buffer.from('ff0aff0a', 'hex'), 'not UTF-8'],
  ])('is not read from %s', async (_, input, message) => {
    await expect(read(input)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });
});

describe('a passphrase on a terminal', () => {
  it('is refused before it has to be typed again', async () => {
    const stays = read('short\r', { isTTY: true, isOpen: true, problem: () => 'Too short.' });
    await expect(stays).rejects.toMatchObject({ code: 'invalid_input', message: 'Too short.' });
  });

  it('is asked for twice and never shown', async () => {
    const { passphrase, shown } = await read('four wordd\x7fs\rfour words\r', { isTTY: true });
    expect(passphrase).toBe('four words');
    expect(shown).toBe(
      'New passphrase (at least 12 characters; it is not shown): \nThe same again: \n',
    );
  });

  it.each([
    ['Ctrl-C', 'four\x03'],
    ['Ctrl-D', '\x04'],
    ['Ctrl-C at the second question', 'four words\rfo\x03'],
    ['the end of the input', 'four'],
  ])('is not set after %s', async (_, input) => {
    await expect(read(input, { isTTY: true })).rejects.toMatchObject({ code: 'cancelled' });
  });
});
