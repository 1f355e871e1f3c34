import type { ToolGroup } from '../../tools/cli/cli-toolset.ts';
import type { AnyTool } from '../../tools/define/define-tool.ts';
import type { ListedProgram } from '../shell/shell.ts';
import { wrapText } from '../shell/wrap-text.ts';
import { flagsOf, takesFrom, usage } from './parse-command.ts';

/** What `vaultdoor` alone prints: what it is, and the commands that one begins with. */
export const firstScreen = `Vaultdoor lets Claude and other AI tools work in your Obsidian vault.
You see every change and can undo it.

New here? Begin with the first of these:
  vaultdoor setup           Connect Claude or another app with your notes, step by step.
  vaultdoor search <words>  Find notes.
  vaultdoor console         See in your browser what the apps did, and take it back.
  vaultdoor doctor          Check whether everything works, and say what to do.
  vaultdoor help            List all commands; "vaultdoor help search" explains one.
`;

/** The commands that the help lists first, in this order. */
const everyday: readonly string[] = [
  'setup',
  'search',
  'read',
  'append',
  'console',
  'history',
  'show',
  'undo',
  'redo',
  'doctor',
];

interface Row {
  readonly name: string;
  readonly group: string;
  /** How to type it. */
  readonly typed: string;
  readonly text: string;
}

/** The text of `vaultdoor help`: all commands. */
export function generalHelp(
  groups: readonly ToolGroup[],
  programs: readonly ListedProgram[],
): string {
  const rows: readonly Row[] = [
    ...groups.flatMap(({ title, tools }) => tools.map((tool) => toolRow(tool, title))),
    ...programs.map(({ name, group, usage, title }) => ({
      name,
      group,
      typed: usage,
      text: title,
    })),
  ];
  const first = everyday.flatMap((name) => rows.filter((row) => row.name === name));
  const others = rows.filter(({ name }) => !everyday.includes(name));
  const titles = Array.from(new Set(others.map(({ group }) => group)));
  return [
    'Vaultdoor opens an Obsidian vault to AI apps, scripts and other machines.',
    '',
    'New here? "vaultdoor setup" connects Claude or another app with your notes, step by step.',
    '',
    'Usage: vaultdoor <command> [arguments] [--vault <folder>] [--json]',
    ...helpGroup('Every day', first),
    ...titles.flatMap((title) =>
      helpGroup(
        title,
        others.filter(({ group }) => group === title),
      ),
    ),
    '',
    'The vault is the folder that --vault, OBSIDIAN_VAULT_PATH or VAULT_PATH names, or the vault that',
    'the current folder is in, or the only one that Obsidian or an app on this machine knows; of',
    'several you are asked to choose. --json prints the whole answer as JSON. Commands that write',
    'have --dry-run, which prints the change as a diff and changes nothing. Every change can be',
    'undone. Text is given as an argument, as "-" to read it from stdin, or with --from <file>.',
    'Scripts may set VAULTDOOR_SESSION=<any name>: "history" and "undo" then find their changes',
    'with --session. "vaultdoor <command> --help" explains a command; --version prints the version.',
    '',
  ].join('\n');
}

/** The text of `vaultdoor <command> --help`. */
export function toolHelp(tool: AnyTool): string {
  const positional = tool.positional ?? [];
  const flags = flagsOf(tool).map(
    ({ flag, argument, kind, description, choices, defaultValue }) => {
      const value = kind === 'switch' ? '' : ` <${choices?.join('|') ?? argument}>`;
      const name = positional.includes(argument) ? argument : `--${flag}${value}`;
      const isShown = defaultValue !== undefined && defaultValue !== '' && defaultValue !== false;
      const fallback = isShown ? ` (default: ${defaultValue})` : '';
      return [name, `${description}${fallback}`] as const;
    },
  );
  const rows = [
    ...flags,
    ...(tool.content === undefined || !takesFrom(tool)
      ? []
      : [
          [
            '--from <file>',
            `Take the ${tool.content.argument} from a file; "-" is stdin.`,
          ] as const,
        ]),
    ['--vault <folder>', 'The vault.'] as const,
    [
      '--allow-root <folder>',
      'Allow symlinks in the vault that lead there; may be repeated.',
    ] as const,
    ['--json', 'The whole answer as JSON.'] as const,
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [
    `Usage: vaultdoor ${usage(tool)} [options]`,
    '',
    ...wrapText(tool.description, helpWidth),
    '',
    ...rows.flatMap(([name, text]) =>
      wrapText(text, Math.max(helpWidth - width - 2, 30)).map(
        (line, at) => `  ${(at === 0 ? name : '').padEnd(width)}${line}`,
      ),
    ),
    ...(tool.examples === undefined
      ? []
      : ['', 'Examples:', ...tool.examples.map((example) => `  ${example}`)]),
    '',
  ].join('\n');
}

function toolRow(tool: AnyTool, group: string): Row {
  return { name: tool.name, group, typed: usage(tool), text: firstSentence(tool.description) };
}

function helpGroup(title: string, rows: readonly Row[]): string[] {
  return ['', `${title}:`, ...rows.flatMap(({ typed, text }) => helpLines(typed, text))];
}

/** How wide the help on one command is. */
const helpWidth = 100;
const usageWidth = 30;
const textWidth = 70;

/** A command and what it does; a long command has a line of its own. */
function helpLines(typed: string, text: string): string[] {
  const texts = wrapText(text, textWidth);
  const isLong = typed.length >= usageWidth;
  return [
    ...(isLong ? [`  ${typed}`] : []),
    ...texts.map((line, i) => `  ${(isLong || i > 0 ? '' : typed).padEnd(usageWidth)}${line}`),
  ];
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}
