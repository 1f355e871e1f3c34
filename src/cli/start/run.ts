import { toVaultError } from '../../base/vault-error.ts';
import { hasFlag, splitCommand } from '../options/command-line.ts';
import { print, report } from '../shell/report.ts';
import type { ListedProgram, Shell } from '../shell/shell.ts';
import { programs } from './programs.ts';

/** Runs one command and answers its exit code. Prints results to stdout and failures to stderr. */
export async function run(shell: Shell): Promise<number> {
  const { name, rest } = splitCommand(shell.argv, []); // The names of programs are single words.
  const program = programs.find((candidate) => candidate.name === name);
  const json = hasFlag(rest, '--json');
  try {
    if (program !== undefined) return await runProgram(shell, program, rest);
    if (name === '--version' || name === '-v') return print(shell, `${shell.version}\n`);
    // Loaded only here: programs, which clients wait for, do not need the schemas of all commands.
    const { runCommand } = await import('../call/run-command.ts');
    return await runCommand(shell, programs);
  } catch (error) {
    return report(shell, { ok: false, error: toVaultError(error), content: [] }, json);
  }
}

async function runProgram(
  shell: Shell,
  { load }: ListedProgram,
  rest: readonly string[],
): Promise<number> {
  const { help, run } = await load();
  return hasFlag(rest, '--help', '-h') ? print(shell, help) : run(shell, rest);
}
