import type { Caller } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Vault } from '../../engine/open/vault.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { cliToolNames, cliToolsetOf, loadCliTool } from '../../tools/cli/load-cli-tool.ts';
import { insteadOfTool } from '../../tools/define/elsewhere.ts';
import type { Outcome } from '../../tools/define/outcome.ts';
import { createService } from '../../tools/service/service.ts';
import { chooseVault, type VaultChoice } from '../options/choose-vault.ts';
import { hasFlag, splitCommand } from '../options/command-line.ts';
import { hint } from '../options/program-text.ts';
import { personAt } from '../shell/person-at.ts';
import { print, remark, report } from '../shell/report.ts';
import { helpOf, type ListedProgram, type Shell } from '../shell/shell.ts';
import { askAt, paintFor } from '../shell/terminal.ts';
import { openCommandVault } from '../vaults/command-vault.ts';
import type { TokenNames } from '../vaults/token-names.ts';
import { contentAt, type WantedContent } from './content-at.ts';
import { cliElsewhere } from './elsewhere.ts';
import { firstScreen, generalHelp, toolHelp } from './help.ts';
import { type Command, type ContentSource, parseCommand } from './parse-command.ts';

/** The exit code of a command that succeeded and found a fault in the vault. */
const faultCode = 1;

/**
 * Runs a command that is a tool, or prints help, and answers the exit code. `programs` are the other
 * commands, which help lists too.
 */
export async function runCommand(
  shell: Shell,
  programs: readonly ListedProgram[],
  place: CommandPlace = hereIn(shell),
): Promise<number> {
  const names = [...cliToolNames, ...programs.map((program) => program.name)];
  const { name, rest } = splitCommand(shell.argv, names);
  if (name === undefined) return print(shell, firstScreen);
  if (name === '--help' || name === '-h') return print(shell, await helpOn('', programs));
  if (name === 'help') return print(shell, await helpOn(rest.join(' '), programs));
  if (hasFlag(rest, '--help', '-h')) return print(shell, await helpOn(name, programs));
  // "conflicts" alone is "conflicts list".
  const tool =
    (await loadCliTool(name)) ?? (await loadCliTool(`${name} list`)) ?? refuse(name, names);
  const outcome = await call(shell, parseCommand(tool, rest), place);
  const isJson = hasFlag(rest, '--json');
  const code = report(shell, outcome, isJson);
  const remarks = outcome.ok && !isJson ? (tool.remarks?.(outcome.value) ?? []) : [];
  for (const sentence of remarks) remark(shell, sentence);
  return outcome.ok && tool.isFault?.(outcome.value) ? faultCode : code;
}

/** Where a command is done: in its own process, or in that of a server. */
export interface CommandPlace {
  /** Fails when the command cannot be done here; called before anything is read from stdin. */
  readonly check?: (choice: VaultChoice, allowRoots: readonly string[]) => Promise<void>;
  readonly open: (
    choice: VaultChoice,
    allowRoots: readonly string[],
  ) => Promise<{ readonly vault: Vault; readonly close: () => Promise<void> }>;
  /** See `readContent`. */
  readonly read: (source: ContentSource, wanted: WantedContent) => Promise<string>;
  /** Asks the person who typed the command. Absent when the command was not typed at a terminal. */
  readonly ask?: Caller['ask'];
}

/** A command's own process. */
function hereIn(shell: Shell): CommandPlace {
  const { stdin, stderr, signal } = shell;
  const ask = askAt(stdin, stderr, signal);
  return {
    open: async (choice, allowRoots) => {
      const vault = openCommandVault(choice, shell, { allowRoots });
      return { vault, close: () => vault.close() };
    },
    read: (source, wanted) => contentAt(shell, source, wanted),
    ...(ask === undefined ? {} : { ask }),
  };
}

async function call(shell: Shell, command: Command, place: CommandPlace): Promise<Outcome> {
  const choice = chooseVault(command.vault, shell);
  await place.check?.(choice, command.allowRoots);
  const args = await withContent(command, place);
  const { vault, close } = await place.open(choice, command.allowRoots);
  try {
    return await callIn(vault, { shell, command: { ...command, args }, choice, place });
  } finally {
    await close();
  }
}

async function callIn(
  vault: Vault,
  parts: {
    readonly shell: Shell;
    readonly command: Command;
    readonly choice: VaultChoice;
    readonly place: CommandPlace;
  },
): Promise<Outcome> {
  const { shell, command, choice, place } = parts;
  const paint = paintFor(shell.stdout, shell.env, command.vault);
  const names = await namesFor(command, choice, shell);
  const toolset = cliToolsetOf([command.tool], { ...paint, nameOf: (id) => names.get(id) });
  const service = createService(vault, [toolset], nodeTimers);
  const { person, clear } = personAt(shell, place.ask);
  try {
    return await service.call(command.tool.name, command.args, person);
  } finally {
    clear();
  }
}

/** The names of tokens and connections, for the commands that show who made a change. */
async function namesFor({ tool }: Command, choice: VaultChoice, shell: Shell): Promise<TokenNames> {
  if (!['history', 'show', 'recent'].includes(tool.name)) return new Map();
  const { tokenNames } = await import('../vaults/token-names.ts');
  return tokenNames(choice, shell, { ended: true });
}

/** The arguments, with the content from a file or stdin if it comes from there. */
async function withContent(command: Command, place: CommandPlace): Promise<Command['args']> {
  const { content: source, tool, args } = command;
  if (source === undefined || tool.content === undefined) return args;
  const { argument, bytesMax, otherwise, file } = tool.content;
  const wanted = {
    argument,
    bytesMax,
    mayBeEmpty: otherwise === 'stdin',
    isBytes: file !== undefined,
  };
  return { ...args, [argument]: await place.read(source, wanted) };
}

/** The help on one command, on all that begin with this word, or the list of all commands. */
async function helpOn(name: string, programs: readonly ListedProgram[]): Promise<string> {
  const { cliToolGroups } = await import('../../tools/cli/cli-toolset.ts');
  if (name === '') return generalHelp(cliToolGroups, programs);
  const program = programs.find((candidate) => candidate.name === name);
  if (program !== undefined) return helpOf(await program.load());
  const tools = cliToolGroups.flatMap((group) => group.tools);
  const meant = tools.filter((tool) => tool.name === name || tool.name.startsWith(`${name} `));
  return meant.length > 0 ? meant.map(toolHelp).join('\n') : refuse(name, cliToolNames);
}

function refuse(name: string, names: readonly string[]): never {
  const longer = names.filter((other) => other.startsWith(`${name} `));
  throw new VaultError(
    'invalid_input',
    longer.length > 0
      ? `"${name}" is not a complete command; use one of ${longer.join(', ')}.`
      : `There is no command "${name}"; ${instead(name, names)}${hint('help')} lists them.`,
  );
}

/** What to use in place of an unknown command, before "vaultdoor --help"; empty when unclear. */
function instead(name: string, names: readonly string[]): string {
  const tools = names.map((each) => ({ name: each }));
  const todo = insteadOfTool(name, { tools, toolsets: [{ elsewhere: cliElsewhere }] });
  return todo === undefined ? '' : `${todo}. `;
}
