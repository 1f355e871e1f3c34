import { toVaultError } from '../../base/vault-error.ts';
import { isUnnamed } from '../options/choose-vault.ts';
import { hasFlag, splitCommand } from '../options/command-line.ts';
import { print, report } from '../shell/report.ts';
import { helpOf, type ListedProgram, type Shell } from '../shell/shell.ts';
import { programs } from './programs.ts';

/** Runs one command and answers its exit code. Prints results to stdout and failures to stderr. */
export async function run(shell: Shell): Promise<number> {
  const { name, rest } = splitCommand(shell.argv, []); // The names of programs are single words.
  const program = programs.find((candidate) => candidate.name === name);
  const json = hasFlag(rest, '--json');
  try {
    if (program !== undefined) return await runProgram(shell, program, rest);
    if (name === '--version' || name === '-v') return print(shell, `${shell.version}\n`);
    const { askServer } = await import('../attach/ask-server.ts');
    const code = await askServer(shell);
    if (code !== undefined) return code;
    // Loaded only here: programs, which clients wait for, do not need the schemas of all commands.
    const { runCommand } = await import('../call/run-command.ts');
    return await runCommand(shell, programs);
  } catch (error) {
    if (isUnnamed(error)) return runWithVault(shell, { name, json, reason: error.message });
    return reportFailure(shell, error, json);
  }
}

/** Runs the command again with the vault that it means although nothing names it. */
async function runWithVault(
  shell: Shell,
  {
    name = '',
    ...how
  }: { readonly name?: string | undefined; readonly json: boolean; readonly reason: string },
): Promise<number> {
  let vault: { readonly path: string; readonly isOnly: boolean };
  try {
    const { meantVault } = await import('./meant-vault.ts');
    vault = await meantVault(shell, { ...how, isServer: ['stdio', 'serve'].includes(name) });
  } catch (error) {
    return reportFailure(shell, error, how.json);
  }
  const { path, isOnly } = vault;
  // Commands that are printed to be typed next need no --vault where there is only one vault.
  return run(
    isOnly
      ? { ...shell, env: { ...shell.env, OBSIDIAN_VAULT_PATH: path } }
      : { ...shell, argv: ['--vault', path, ...shell.argv] },
  );
}

function reportFailure(shell: Shell, error: unknown, json: boolean): number {
  return report(shell, { ok: false, error: toVaultError(error), content: [] }, json);
}

async function runProgram(
  shell: Shell,
  { load }: ListedProgram,
  rest: readonly string[],
): Promise<number> {
  const program = await load();
  return hasFlag(rest, '--help', '-h')
    ? print(shell, await helpOf(program))
    : program.run(shell, rest);
}
