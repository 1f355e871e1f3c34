import { toVaultError } from '../../base/vault-error.ts';
import { isUnnamed } from '../options/choose-vault.ts';
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
    const { askServer } = await import('../attach/ask-server.ts');
    const code = await askServer(shell);
    if (code !== undefined) return code;
    // Loaded only here: programs, which clients wait for, do not need the schemas of all commands.
    const { runCommand } = await import('../call/run-command.ts');
    return await runCommand(shell, programs);
  } catch (error) {
    const vault = isUnnamed(error) && !json ? await askForVault(shell) : undefined;
    if (vault !== undefined) return run({ ...shell, argv: ['--vault', vault, ...shell.argv] });
    return report(shell, { ok: false, error: toVaultError(error), content: [] }, json);
  }
}

/**
 * Asks the person at the terminal which of the vaults that Obsidian knows is meant. Undefined where
 * nobody can be asked, Obsidian knows none, or none was chosen.
 */
async function askForVault(shell: Shell): Promise<string | undefined> {
  const { stdin, stdout, stderr } = shell;
  if (!stdin.isTTY || !stdout.isTTY || !stderr.isTTY) return undefined;
  const [{ chooseAtTerminal, knownVaults }, { thisMachine }] = await Promise.all([
    import('../install/known-vaults.ts'),
    import('../install/this-machine.ts'),
  ]);
  const vaults = knownVaults(thisMachine(shell));
  return vaults.length === 0 ? undefined : (await chooseAtTerminal(shell, vaults))?.path;
}

async function runProgram(
  shell: Shell,
  { load }: ListedProgram,
  rest: readonly string[],
): Promise<number> {
  const { help, run } = await load();
  return hasFlag(rest, '--help', '-h') ? print(shell, help) : run(shell, rest);
}
