import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Shell } from '../shell/shell.ts';
import { run } from './run.ts';

/** Runs a command that ends before a vault is opened, and answers all that it prints. */
async function printed(
  argv: readonly string[],
  stdin: { readonly isTTY: boolean; readonly text: string } = { isTTY: false, text: '' },
): Promise<string> {
  const out = new PassThrough();
  const input = Object.assign(new PassThrough(), { isTTY: stdin.isTTY });
  input.end(stdin.text);
  const code = await run({
    argv,
    env: { VAULT_PATH: '/nonexistent' },
    currentFolder: '/',
    stdin: input as unknown as Shell['stdin'],
    stdout: out as unknown as Shell['stdout'],
    stderr: out as unknown as Shell['stderr'],
    version: '1.2.3',
    entryFile: '/nonexistent',
    signal: new AbortController().signal,
  });
  return `${out.read() ?? ''}[exit ${code}]`;
}

describe('help', () => {
  it('is the same however it is asked for', async () => {
    const general = await printed(['--help']);
    expect(general).toMatch(/^Vaultdoor opens [\s\S]*\[exit 0\]$/);
    for (const argv of [['-h'], ['help'], ['--json', '--help']]) {
      expect(await printed(argv)).toBe(general);
    }
    const append = await printed(['append', '--help']);
    expect(append).toMatch(/^Usage: vaultdoor append <name> <text>/);
    expect(await printed(['help', 'append'])).toBe(append);
    expect(await printed(['append', 'A', '-h'])).toBe(append);
  });

  it('is a short screen without a command, with the five commands to begin with', async () => {
    const first = await printed([]);
    expect(first.match(/^ {2}vaultdoor (\w+)/gm)?.map((line) => line.slice(12))).toEqual([
      'setup',
      'search',
      'console',
      'doctor',
      'help',
    ]);
    expect(first.split('\n').length).toBeLessThan(14);
  });

  it('of half a command is that of all that begin so', async () => {
    const usages = (await printed(['tag', '--help'])).match(/^Usage: vaultdoor tag \w+/gm);
    expect(usages).toEqual(
      ['add', 'remove', 'rename'].map((word) => `Usage: vaultdoor tag ${word}`),
    );
    expect(await printed(['help', 'tag', 'add'])).toBe(await printed(['tag', 'add', '--help']));
  });

  it('on what is no command says so', async () => {
    const refusal =
      /^vaultdoor: There is no command "frob"; "vaultdoor help" lists them\.\n\[exit 2\]$/;
    expect(await printed(['help', 'frob'])).toMatch(refusal);
    expect(await printed(['frob', '--help'])).toMatch(refusal);
  });

  it('has a short line for each command', async () => {
    const long = (await printed(['--help'])).split('\n').filter((line) => line.length > 102);
    expect(long).toEqual([]);
  });
});

describe('failures', () => {
  it('let no argument steer the terminal', async () => {
    expect(await printed(['fro\u001b[31mb'])).toMatch(
      /^vaultdoor: There is no command "fro·\[31mb"/,
    );
    expect(await printed(['fro\u001b[31mb', '--json'])).toContain('fro\\u001b[31mb');
  });
});

describe('text from a terminal', () => {
  it('is waited for with a word, and from a pipe without', async () => {
    const empty =
      'vaultdoor: The text from stdin is empty; give "" as the argument if that is meant.';
    const typed = await printed(['append', 'A', '-'], { isTTY: true, text: '' });
    expect(typed).toBe(
      `vaultdoor: Reading the text from the terminal; Ctrl-D ends it.\n${empty}\n[exit 2]`,
    );
    expect(await printed(['append', 'A', '-'])).toBe(`${empty}\n[exit 2]`);
  });
});
