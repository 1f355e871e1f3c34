import { describe, expect, it } from 'vitest';
import { programs } from '../start/programs.ts';
import { completeWords } from './complete-words.ts';
import { makeCommandWords } from './make-command-words.ts';
import { bashReply, readShellLine } from './shell-line.ts';

// Some programs are enough, and loading all of them takes long.
const some = ['token', 'install', 'completion'];
const commands = await makeCommandWords(programs.filter(({ name }) => some.includes(name)));
const inVault = {
  note: ['Greenhouse', 'Green tea', 'Notes/Log'],
  folder: ['Projects', 'Recipes'],
  tag: ['garden', 'garden/log'],
};

/** Completes a line as bash would; what the shell lists itself is in angle brackets. */
async function completed(line: string): Promise<string> {
  const { words, last } = readShellLine(line);
  const found = await completeWords(
    commands,
    { before: words.slice(1), typed: last.value },
    async (kind, { vault }) =>
      vault === undefined ? inVault[kind] : inVault[kind].map((word) => `${vault}:${word}`),
  );
  if ('shell' in found) return `<${found.shell}>`;
  return found.words.map((word) => bashReply(word, last)).join(' ');
}

describe('completion', () => {
  it.each([
    ['vaultdoor sea', 'search'],
    ['vaultdoor REA', 'read'],
    ['vaultdoor --v', '--vault --version'],
    ['vaultdoor tag ', 'add remove rename'],
    ['vaultdoor tag re', 'remove rename'],
    ['vaultdoor conflicts ', 'Projects Recipes list merge show'],
    ['vaultdoor conflicts p', 'Projects'],
    ['vaultdoor help dup', 'duplicates'],
    ['vaultdoor read gr', 'Green\\ tea Greenhouse'],
    ['vaultdoor read "gr', 'Green tea Greenhouse'],
    ['vaultdoor read Green\\ ', 'Green\\ tea'],
    ['vaultdoor read Notes/', 'Notes/Log'],
    ['vaultdoor read x gr', ''],
    ['vaultdoor read -- gr', 'Green\\ tea Greenhouse'],
    ['vaultdoor move Greenhouse re', 'Recipes'],
    ['vaultdoor tag add Greenhouse gar', 'garden garden/log'],
    ['vaultdoor tag add Greenhouse a b gar', 'garden garden/log'],
    ['vaultdoor list --sort ', 'modified path'],
    ['vaultdoor list --sort=m', 'modified'],
    ['vaultdoor list --so', '--sort'],
    ['vaultdoor list --json --js', ''],
    ['vaultdoor list --sort path --so', '--sort'],
    ['vaultdoor list --vault ', '<directory>'],
    ['vaultdoor --vault ', '<directory>'],
    ['vaultdoor list --vault=', '<directory>'],
    ['vaultdoor append Greenhouse --from ', '<file>'],
    ['vaultdoor --vault V list p', ''],
    ['vaultdoor --vault V list V:P', 'Projects'],
    ['vaultdoor graph Greenhouse --format ', 'dot json mermaid tree'],
    ['vaultdoor token ', 'create list revoke'],
    ['vaultdoor install cl', 'claude-code claude-desktop'],
    ['vaultdoor token create --tools ', 'agent notes obsidian'],
    ['vaultdoor completion ', 'bash zsh'],
    ['vaultdoor frobnicate ', ''],
  ])('%s', async (line, expected) => {
    expect(await completed(line)).toBe(expected);
  });
});

describe('readShellLine', () => {
  it.each([
    ['a b ', ['a', 'b'], '', ''],
    [`a 'b c' "d\\"e" f\\ g`, ['a', 'b c', 'd"e'], 'f g', ''],
    [`a "b\\c`, ['a'], 'b\\c', '"'],
    [`a 'b\\`, ['a'], 'b\\', "'"],
    [`a ''`, ['a'], '', ''],
    ['a b\\', ['a'], 'b\\', ''],
  ])('%s', (line, words, value, quote) => {
    const read = readShellLine(line);
    expect([read.words, read.last.value, read.last.quote]).toEqual([words, value, quote]);
  });
});
