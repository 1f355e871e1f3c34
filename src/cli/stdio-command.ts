import type { Program } from './programs.ts';
import type { Shell } from './run.ts';
import { serverOptionsHelp, serverVariablesHelp } from './server-help.ts';
import { readStdioOptions, stdioWords } from './stdio-options.ts';

const help = `Usage: vaultdoor stdio [options]

Serve vaults to an MCP client over stdin and stdout, until the client closes them. Clients start
this themselves: "vaultdoor install <client>" tells them how. The log goes to stderr.

  --attach                  Let a "vaultdoor serve" of these vaults that runs already do the work, so
                            that many clients share one index; serve as ever where none does.
${serverOptionsHelp('notes')}

${serverVariablesHelp}. Options win.
`;

/** `vaultdoor stdio`: what MCP clients start. */
export const stdioProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readStdioOptions(stdioWords(argv, shell.env));
  if (options.attach) {
    const { attachStdio } = await import('./attach-stdio.ts');
    const code = await attachStdio(shell, options);
    if (code !== undefined) return code;
  }
  try {
    // Not above: what only carries bytes has no use for it.
    const { greetClient } = await import('./greet-client.ts');
    const isGreeted = await greetClient(shell, options);
    const { serveStdio } = await import('./serve-stdio.ts');
    return await serveStdio(shell, options, { isGreeted });
  } finally {
    // Once it was looked at, it keeps the process, though nothing can be served.
    shell.stdin.destroy();
  }
}
