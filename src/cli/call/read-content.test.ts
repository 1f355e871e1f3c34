import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { toVaultError } from '../../base/vault-error.ts';
import { readContent } from './read-content.ts';

const places = {
  currentFolder: '.',
  signal: new AbortController().signal,
  bytesMax: 8,
  mayBeEmpty: false,
};
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

async function fromStdin(...chunks: readonly Uint8Array[]): Promise<string> {
  return answer(readContent({ from: 'stdin' }, { ...places, stdin: Readable.from(chunks) }));
}

async function fromFile(currentFolder: string, file: string): Promise<string> {
  const stdin = Readable.from([]);
  return answer(readContent({ from: 'file', file }, { ...places, stdin, currentFolder }));
}

function answer(reading: Promise<string>): Promise<string> {
  return reading.catch((error: unknown) => {
    const { code, message } = toVaultError(error);
    return `${code}: ${message}`;
  });
}

describe('readContent', () => {
  it('joins what comes from stdin, also where a character is cut', async () => {
    expect(await fromStdin(text('a\n'), text('b'))).toBe('a\nb');
    expect(await fromStdin(text('é').slice(0, 1), text('é').slice(1))).toBe('é');
  });

  it('keeps a byte order mark and line ends', async () => {
    expect(await fromStdin(text('\ufeffa\r\n'))).toBe('\ufeffa\r\n');
  });

  it('takes as much as is allowed and stops there', async () => {
    expect(await fromStdin(text('12345678'))).toBe('12345678');
    expect(await fromStdin(text('12345678'), text('9'))).toBe(
      'too_large: The text from stdin is larger than 8 bytes; give it in parts.',
    );
    let asked = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          asked++;
          yield text('12345');
        }
      })(),
    );
    const reading = readContent({ from: 'stdin' }, { ...places, stdin: endless });
    expect(await answer(reading)).toMatch(/^too_large/);
    expect(asked).toBeLessThan(100);
  });

  it('refuses an empty stdin, since a pipe that broke looks the same', async () => {
    expect(await fromStdin()).toMatch(/^invalid_input: The text from stdin is empty; give ""/);
    const stdin = Readable.from([]);
    expect(await readContent({ from: 'stdin' }, { ...places, stdin, mayBeEmpty: true })).toBe('');
  });

  it('refuses what is not UTF-8', async () => {
    expect(await fromStdin(new Uint8Array([0x61, 0xff]))).toBe(
      'invalid_input: The text from stdin is not UTF-8 text.',
    );
  });

  it('reads a file, seen from the current folder', async () => {
    const folder = tempFolder({ 'a.txt': 'hello\n', 'empty.txt': '', 'large.txt': '123456789' });
    expect(await fromFile(folder, 'a.txt')).toBe('hello\n');
    expect(await fromFile('/', join(folder, 'a.txt'))).toBe('hello\n');
    expect(await fromFile(folder, 'empty.txt')).toBe('');
    expect(await fromFile(folder, 'large.txt')).toMatch(/^too_large: The file "large.txt"/);
    expect(await fromFile(folder, '.')).toBe('is_a_folder: The file "." is a folder; give a file.');
    expect(await fromFile(folder, 'b.txt')).toBe('not_found: The file "b.txt" does not exist.');
    expect(await fromFile(folder, 'a.txt/b')).toMatch(/^not_found/);
  });

  it.skipIf(process.platform === 'win32')('reads a pipe that a shell made', async () => {
    const folder = tempFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const reading = fromFile(folder, 'pipe');
    await writeFile(join(folder, 'pipe'), 'piped');
    expect(await reading).toBe('piped');
  });

  it('ends when the call is given up', async () => {
    const given = new AbortController();
    const stdin = new Readable({ read: () => undefined });
    const reading = readContent({ from: 'stdin' }, { ...places, stdin, signal: given.signal });
    given.abort();
    expect(await answer(reading)).toBe('cancelled: The call was cancelled.');
  });
});
