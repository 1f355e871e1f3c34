import { describe, expect, it } from 'vitest';
import { limits } from '../../../base/limits.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { AppCommand } from '../../../engine/ports/obsidian-app.ts';
import { obsidianArguments } from './obsidian-arguments.ts';

describe('obsidianArguments', () => {
  it.each<[string, AppCommand, readonly string[]]>([
    ['a command alone', { name: 'tabs' }, ['tabs']],
    [
      'the file as a path, even one that looks like a flag',
      { name: 'open', path: vaultPath('--copy "x" $(id).md'), flags: ['newtab'] },
      ['open', 'path=--copy "x" $(id).md', 'newtab'],
    ],
    [
      'a value with signs that a shell would read',
      { name: 'command', values: { id: 'a; rm -rf ~ && `b` | "c" = d' } },
      ['command', 'id=a; rm -rf ~ && `b` | "c" = d'],
    ],
    [
      'newlines and tabs, escaped',
      { name: 'commands', values: { filter: 'a\nb\r\nc\td' } },
      ['commands', 'filter=a\\nb\\nc\\td'],
    ],
    [
      'an address, which is no last argument of its own',
      { name: 'commands', values: { filter: 'obsidian://open' } },
      ['commands', 'filter=obsidian://open'],
    ],
    ['values that are there', { name: 'commands', values: { filter: undefined } }, ['commands']],
  ])('puts the vault first and gives %s', (_what, command, args) => {
    expect(obsidianArguments('My vault', command)).toEqual(['vault=My vault', ...args]);
  });

  it.each([
    ['a literal backslash-n', '\\nabla'],
    ['a literal backslash-t after another backslash', '\\\\times'],
    ['NUL', 'a\0b'],
    ['escape', 'a\u001b[31m'],
    ['a lone carriage return', 'a\rb'],
    ['a control character of Latin-1', 'a\u0085b'],
    ['half a surrogate pair', 'a\ud83d'],
  ])('refuses %s and does not repeat the value', (_what, id) => {
    const run = () => obsidianArguments('v', { name: 'command', values: { id } });
    expect(run).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(run).toThrow(/^"id" has /);
    expect(run).not.toThrow(id);
  });

  it('refuses more than every platform takes', () => {
    const id = 'ä'.repeat(limits.appArgumentBytesMax / 2);
    expect(() => obsidianArguments('v', { name: 'command', values: { id } })).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
  });
});
