import { PassThrough, type Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { legacyHello } from '../../../test/support/stdio-process.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readStdioOptions } from '../options/stdio-options.ts';
import type { Shell } from '../shell/shell.ts';
import { greetClient } from './greet-client.ts';

const hello = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: legacyHello })}\n`;

async function greet(input: Readable): Promise<{ answered: number; written: string }> {
  const output = new PassThrough();
  const vault = tempFolder({ 'A.md': '# A\n' });
  const streams = { stdin: input, stdout: output } as unknown as Pick<Shell, 'stdin' | 'stdout'>;
  const shell: Shell = {
    ...streams,
    argv: [],
    env: { XDG_CACHE_HOME: `${vault}-cache`, XDG_STATE_HOME: `${vault}-state` },
    currentFolder: vault,
    stderr: process.stderr,
    version: '1.2.3',
    entryFile: '',
    signal: new AbortController().signal,
  };
  const answered = await greetClient(shell, readStdioOptions(['--vault', vault]));
  return { answered, written: String(output.read() ?? '') };
}

async function textOf(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

describe('a client that says hello at once', () => {
  it('is greeted, and the input is left as it was', async () => {
    const input = new PassThrough();
    input.end(`${hello}more\n`);
    const { answered, written } = await greet(input);
    expect([answered, JSON.parse(written).id]).toEqual([1, 1]);
    expect(await textOf(input)).toBe(`${hello}more\n`);
  });

  it.each([
    ['says nothing', ''],
    ['says something else', 'x\n'],
    ['does not end its line', hello.trim()],
  ])('is not when it %s, and the input is left as it was', async (_, text) => {
    const input = new PassThrough();
    input.end(text);
    expect(await greet(input)).toEqual({ answered: 0, written: '' });
    expect(await textOf(input)).toBe(text);
  });

  it('may break its connection before the server reads on, who then sees it', async () => {
    const input = new PassThrough();
    input.write(hello);
    expect((await greet(input)).answered).toBe(1);
    input.destroy(new Error('ECONNRESET'));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(textOf(input)).rejects.toThrow('ECONNRESET');
  });
});
