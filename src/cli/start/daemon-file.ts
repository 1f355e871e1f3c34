import { daemonOptionsHelp, runDaemon } from '../commands/daemon-command.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Shell } from '../shell/shell.ts';

const usage = `Usage: server --vault-root <folder> [options]

${daemonOptionsHelp}`;

/**
 * The daemon as a program of its own: `vaultdoor daemon` without the word. Help goes to stderr and
 * is a failure, as whoever deploys such a daemon expects.
 */
export async function runDaemonFile(shell: Shell): Promise<number> {
  if (shell.argv.some((word) => /^--?h(elp)?$/.test(word))) {
    shell.stderr.write(usage);
    return exitCodes.invalid_input;
  }
  return runDaemon(shell, shell.argv);
}
