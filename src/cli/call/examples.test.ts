import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { cliToolGroups, cliToolset } from '../../tools/cli/cli-toolset.ts';
import { textsOf } from '../../tools/define/outcome.ts';
import { createService } from '../../tools/service/service.ts';
import { plainPaint } from '../../tools/wording/plain-voice.ts';
import { splitCommand } from '../options/command-line.ts';
import { toolHelp } from './help.ts';
import { parseCommand } from './parse-command.ts';
import { readShellLine } from './shell-line.ts';

// Every example that the help of a command shows is run, on a copy of the example vault in memory.

const folder = fileURLToPath(new URL('../../../examples/vault', import.meta.url));
const example = Object.fromEntries(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [
      file.slice(folder.length + 1).replaceAll('\\', '/'),
      new Uint8Array(readFileSync(file)),
    ]),
);
/** The copy that the examples of "conflicts" are about. */
const conflict = { 'Notes/Swifts.sync-conflict-20261109-101500-ABCDEFG.md': 'Twenty swifts.\n' };

const tools = cliToolGroups.flatMap((group) => group.tools);
const names = tools.map(({ name }) => name);

/** The words of an example after `vaultdoor`, and what a `printf` before it writes. */
function wordsOf(line: string): { words: readonly string[]; stdin: string } {
  const { words, last } = readShellLine(`${line} `);
  expect(last.value, line).toBe('');
  const at = words.indexOf('vaultdoor');
  expect(at, line).not.toBe(-1);
  const printed = words.slice(2, at - 1); // After "printf" and its format, before "|".
  return { words: words.slice(at + 1), stdin: printed.map((text) => `${text}\n`).join('') };
}

/** A vault with some changes in its history, and how to run a command line on it. */
async function openExample() {
  const opened = await openWrittenVault({ ...example, ...conflict });
  const service = createService(opened.whole, [cliToolset(plainPaint)], nodeTimers);
  const type = async (line: string) => {
    const { words, stdin } = wordsOf(line);
    const { name = '', rest } = splitCommand(words, names);
    const named = (wanted: string) => tools.find((each) => each.name === wanted);
    const tool = named(name) ?? named(`${name} list`);
    if (tool === undefined) throw new Error(`There is no command "${name}": ${line}`);
    const { args, content } = parseCommand(tool, rest);
    const read = tool.content?.file === undefined ? stdin : pictures.orientation1Jpeg;
    const given = content === undefined ? args : { ...args, [tool.content?.argument ?? '']: read };
    const outcome = await service.call(tool.name, given, testCaller());
    expect(outcome.ok ? '' : outcome.error.message, line).toBe('');
    const text = outcome.ok ? textsOf(outcome.content).join('') : '';
    // An example that changes or finds nothing would teach nothing.
    const mayBeEmpty = /^vaultdoor (duplicates|history|orphans --attachments)/.test(line);
    expect(text, line).toMatch(mayBeEmpty ? /^/ : /^(?!Nothing found|No |nothing to change)\s*\S/);
    return text;
  };
  for (const line of changes) await type(line);
  return { type, close: opened.close };
}

const changes = ['vaultdoor append Example one', 'vaultdoor append Swifts two'];

it('every command has an example, which its help shows', () => {
  for (const tool of tools) {
    const { examples = [] } = tool;
    expect(examples, tool.name).not.toEqual([]);
    expect(toolHelp(tool)).toContain(`\nExamples:\n  ${examples[0]}\n`);
  }
});

it('the examples of commands do what they say', async () => {
  const { type, close } = await openExample();
  for (const { name, effect, examples = [] } of tools) {
    if (name === 'undo' || name === 'redo') continue;
    for (const line of examples) {
      const text = await type(line);
      // Each example is tried on the vault as it was before the others.
      const change = effect === 'read' ? undefined : /^change (\d+);/m.exec(text)?.[1];
      if (change !== undefined) await type(`vaultdoor undo ${change}`);
    }
  }
  await close();
});

it('the examples of undo and redo do what they say', async () => {
  for (const { name, examples = [] } of tools) {
    if (name !== 'undo' && name !== 'redo') continue;
    for (const line of examples) {
      const { type, close } = await openExample();
      if (name === 'redo') await type('vaultdoor undo');
      await type(line);
      await close();
    }
  }
});
