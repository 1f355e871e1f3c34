import type { AnyTool } from '../tools/define-tool.ts';
import { flagsOf, usage } from './parse-command.ts';

/** What `vaultdoor --help` prints. */
export function generalHelp(tools: readonly AnyTool[]): string {
  const width = Math.max(...tools.map((tool) => usage(tool).length)) + 2;
  return [
    'Vaultdoor: one vault, every door.',
    '',
    'Usage: vaultdoor <command> [arguments] [--vault <folder>] [--json]',
    '',
    ...tools.map((tool) => `  ${usage(tool).padEnd(width)}${firstSentence(tool.description)}`),
    '',
    'The vault is --vault, or OBSIDIAN_VAULT_PATH, or VAULT_PATH, or the current folder if',
    'Obsidian has opened it. --json prints the whole answer for programs.',
    '"vaultdoor <command> --help" says more; --version prints the version.',
    '',
  ].join('\n');
}

/** What `vaultdoor <command> --help` prints. */
export function toolHelp(tool: AnyTool): string {
  const positional = tool.positional ?? [];
  const flags = flagsOf(tool).map(({ flag, argument, type, description, choices, standard }) => {
    const value = type === 'boolean' ? '' : ` <${choices?.join('|') ?? argument}>`;
    const name = positional.includes(argument) ? argument : `--${flag}${value}`;
    const fallback = standard === undefined || standard === '' ? '' : ` (default: ${standard})`;
    return [name, `${description}${fallback}`] as const;
  });
  const rows = [
    ...flags,
    ['--vault <folder>', 'The vault.'] as const,
    ['--allow-root <folder>', 'Symlinks in the vault may lead there; may be repeated.'] as const,
    ['--json', 'The whole answer as JSON.'] as const,
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [
    `Usage: vaultdoor ${usage(tool)} [options]`,
    '',
    tool.description,
    '',
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}${text}`),
    '',
  ].join('\n');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}
