import { cliToolGroups } from '../../tools/cli/cli-toolset.ts';
import type { AnyTool } from '../../tools/define/define-tool.ts';
import { helpOf, type ListedProgram } from '../shell/shell.ts';
import type { CommandWords, OptionWords, WordKind, WordSource } from './command-words.ts';
import { flagsOf, takesFrom } from './parse-command.ts';

/** What the arguments of commands name, by their names. */
const kinds: Readonly<Record<string, WordKind>> = {
  name: 'note',
  target: 'note',
  template: 'note',
  path: 'note',
  folder: 'folder',
  to: 'folder',
  tag: 'tag',
  tags: 'tag',
  newTag: 'tag',
};

/** What options of programs take, by the word in their help: `--vault <folder>`. */
const optionKinds: Readonly<Record<string, WordKind>> = {
  vault: 'directory',
  'vault-root': 'directory',
  'allow-root': 'directory',
  file: 'file',
  from: 'file',
};

const commonOptions: readonly OptionWords[] = [
  { option: 'vault', takesValue: true, kind: 'directory' },
  { option: 'allow-root', takesValue: true, kind: 'directory' },
  { option: 'json', takesValue: false },
  { option: 'help', takesValue: false },
];

/** The words of every command: those of tools from their schemas, those of programs from their help. */
export async function makeCommandWords(
  programs: readonly ListedProgram[],
): Promise<readonly CommandWords[]> {
  const tools = cliToolGroups.flatMap((group) => group.tools).map(toolWords);
  const others = await Promise.all(programs.map(programWords));
  return [...tools, ...others, { name: 'help', options: [], places: [{ kind: 'command' }] }];
}

function toolWords(tool: AnyTool): CommandWords {
  const flags = flagsOf(tool);
  const positional = tool.positional ?? [];
  const sourceOf = (argument: string): WordSource => {
    const kind = kinds[argument];
    const words = flags.find((flag) => flag.argument === argument)?.choices;
    return { ...(kind === undefined ? {} : { kind }), ...(words === undefined ? {} : { words }) };
  };
  const options = flags
    .filter(({ argument }) => !positional.includes(argument))
    .map(({ flag, argument, kind }) => ({
      option: flag,
      takesValue: kind !== 'switch',
      ...sourceOf(argument),
    }));
  const last = flags.find(({ argument }) => argument === positional.at(-1));
  const from: OptionWords = { option: 'from', takesValue: true, kind: 'file' };
  return {
    name: tool.name,
    options: [...options, ...(takesFrom(tool) ? [from] : []), ...commonOptions],
    places: positional.map(sourceOf),
    ...(last?.kind === 'list' ? { repeats: true } : {}),
  };
}

/** The options and the words that the help and the usage of a program name. */
async function programWords({ name, usage, load }: ListedProgram): Promise<CommandWords> {
  const help = await helpOf(await load());
  const options = new Map<string, OptionWords>();
  for (const [, option = '', value] of help.matchAll(/^ {2}--([a-z][a-z-]*)(?: <([^>]+)>)?/gm)) {
    const kind = optionKinds[option] ?? optionKinds[value ?? ''];
    const words = value?.includes('|') ? value.split('|') : undefined;
    options.set(option, {
      option,
      takesValue: value !== undefined,
      ...(kind === undefined ? {} : { kind }),
      ...(words === undefined ? {} : { words }),
    });
  }
  options.set('help', { option: 'help', takesValue: false });
  const [, second = ''] = usage.split(' ');
  const apps = /^Apps: ([\w, -]+)\./m.exec(help)?.[1]?.split(', ');
  const words = second.includes('|') ? second.split('|') : apps;
  return {
    name,
    options: Array.from(options.values()),
    places: words === undefined ? [] : [{ words }],
  };
}
