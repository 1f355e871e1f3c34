import { toVaultError } from '../../base/vault-error.ts';
import { hasFlag, splitCommand } from '../options/command-words.ts';
import { print, report } from '../shell/report.ts';
import { type ListedProgram, programs } from './programs.ts';

/** What the command line runs in. */
export interface Shell {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly currentFolder: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly version: string;
  /** The bundled program, which workers run too. */
  readonly entryFile: string;
  readonly signal: AbortSignal;
  /** A program that looks after failing output streams itself calls this first. */
  readonly ownStreams?: () => void;
}

/** Runs one command and answers its exit code. Prints results to stdout and failures to stderr. */
export async function run(shell: Shell): Promise<number> {
  const { name, rest } = splitCommand(shell.argv, []);
  const program = programs.find((candidate) => candidate.name === name);
  const json = hasFlag(rest, '--json');
  try {
    if (program !== undefined) return await runProgram(shell, program, rest);
    if (name === '--version' || name === '-v') return print(shell, `${shell.version}\n`);
    // Not above: clients wait for programs, which have no use for the schemas of all commands.
    const { runCommand } = await import('../call/run-command.ts');
    return await runCommand(shell);
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
