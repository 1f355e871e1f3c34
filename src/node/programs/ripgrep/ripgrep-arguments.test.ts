import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { ripgrepArguments } from './ripgrep-arguments.ts';

const argsOf = (request: { pattern?: string; glob?: string }, folders = ['' as const]) =>
  ripgrepArguments({ pattern: 'x', linesMax: 10, ...request }, folders, 'any');
const globsOf = (glob: string): readonly string[] =>
  argsOf({ glob })
    .filter((arg) => arg.startsWith('--glob='))
    .map((arg) => arg.slice('--glob='.length));
const last = ['!.*', '!*\n*'];

describe('ripgrepArguments', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['  ', []],
    ['./', []],
    ['devlog/*.md', ['devlog/*.md']],
    ['./devlog/*.md', ['devlog/*.md']],
    ['!./devlog/*.md', ['!devlog/*.md']],
    ['devlog/', ['devlog/**']],
    ['!archive/', ['!archive/**']],
    ['#inbox/*', ['\\#inbox/*']],
    ['!#inbox/*', ['!\\#inbox/*']],
    ['-x', ['-x']],
    ['caf\u00e9/*', ['caf\u00e9/*', 'cafe\u0301/*']],
  ])('takes the glob %j as %j, and never hidden files', (glob, expected) => {
    expect(globsOf(glob)).toEqual([...expected, ...last]);
  });

  it('gives the pattern as a value, and folders that cannot be taken for options', () => {
    const folders = [vaultPath('-e'), vaultPath('a b')];
    const args = ripgrepArguments({ pattern: '--pre=sh', linesMax: 10 }, folders, 'path');
    expect(args.slice(-5)).toEqual(['-e', '--pre=sh', '--', './-e', './a b']);
  });

  it.each([{ pattern: 'a\0b' }, { glob: 'a\0b' }])('refuses %j', async (request) => {
    const failure = await failureOf(Promise.resolve().then(() => argsOf(request)));
    expect(failure.code).toBe('invalid_input');
  });
});
