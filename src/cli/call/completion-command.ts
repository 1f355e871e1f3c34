import { VaultError } from '../../base/vault-error.ts';
import { print } from '../shell/report.ts';
import type { ListedProgram, Program, Shell } from '../shell/shell.ts';
import { vaultWords } from '../vaults/vault-words.ts';
import { commandWords } from './command-words.ts';
import { type Completions, completeWords } from './complete-words.ts';
import { completionScripts } from './completion-scripts.ts';
import { bashReply, readShellLine } from './shell-line.ts';

const help = `Usage: vaultdoor completion bash
       vaultdoor completion zsh

Print a script that lets your shell complete commands, options and their values, and the names of
notes, folders and tags, when you press Tab. Upper and lower case do not matter. Tags are known once
a command has built the index.

Examples:
  source <(vaultdoor completion bash)    # for this shell; in ~/.bashrc for every one
  source <(vaultdoor completion zsh)     # the same, in ~/.zshrc, after "compinit"
`;

/** `vaultdoor completion`: prints the script for a shell, and answers that script's questions. */
export function completionProgram(programs: readonly ListedProgram[]): Program {
  return { help, run: (shell, argv) => run(shell, argv, programs) };
}

async function run(
  shell: Shell,
  argv: readonly string[],
  programs: readonly ListedProgram[],
): Promise<number> {
  const [action, ...rest] = argv;
  if ((action === 'bash' || action === 'zsh') && rest.length === 0) {
    return print(shell, completionScripts[action]);
  }
  if (action === 'words' && rest[0] === 'bash') return answerBash(shell, rest[1] ?? '', programs);
  if (action === 'words' && rest[0] === 'zsh') return answerZsh(shell, rest.slice(1), programs);
  throw new VaultError(
    'invalid_input',
    'Give the name of your shell: "vaultdoor completion bash" or "vaultdoor completion zsh".',
  );
}

/** Answers the script for bash, which gives the command line up to the cursor. */
async function answerBash(
  shell: Shell,
  line: string,
  programs: readonly ListedProgram[],
): Promise<number> {
  const { words, last } = readShellLine(line);
  // Variables that are set for the command stand before its name.
  const at = words.findIndex((word) => !/^\w+=/.test(word));
  const typed = { before: words.slice(at + 1), typed: last.value };
  const found = await completions(shell, typed, programs);
  return print(
    shell,
    text(found, (word) => bashReply(word, last)),
  );
}

/** Answers the script for zsh, which gives the words, the one that is being typed last. */
async function answerZsh(
  shell: Shell,
  words: readonly string[],
  programs: readonly ListedProgram[],
): Promise<number> {
  const typed = { before: words.slice(0, -1), typed: words.at(-1) ?? '' };
  return print(
    shell,
    text(await completions(shell, typed, programs), (word) => word),
  );
}

async function completions(
  shell: Shell,
  typed: { readonly before: readonly string[]; readonly typed: string },
  programs: readonly ListedProgram[],
): Promise<Completions> {
  const commands = await commandWords(shell, programs);
  return completeWords(commands, typed, (kind, of) => vaultWords(shell, kind, of));
}

function text(found: Completions, written: (word: string) => string): string {
  if ('shell' in found) return `:${found.shell} ${found.before}\n`;
  return found.words.map((word) => `${written(word)}\n`).join('');
}
