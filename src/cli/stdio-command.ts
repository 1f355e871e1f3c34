import { serveMcpStdio } from '../doors/mcp/serve-mcp-stdio.ts';
import { nodeTimers } from '../node/node-ports.ts';
import type { Program } from './programs.ts';
import type { Shell } from './run.ts';
import { runServer } from './run-server.ts';
import { serverOptionsHelp, serverVariablesHelp } from './server-help.ts';
import { stdioWords } from './stdio-env.ts';
import { readStdioOptions } from './stdio-options.ts';

const help = `Usage: vaultdoor stdio [options]

Serve vaults to an MCP client over stdin and stdout, until the client closes them. Clients start
this themselves: "vaultdoor install <client>" tells them how. The log goes to stderr.

${serverOptionsHelp('notes')}

${serverVariablesHelp}; options win.
`;

/** `vaultdoor stdio`: what MCP clients start. */
export const stdioProgram: Program = { help, run };

/** Vaults are opened and indexed when the first answer is out, or after this time. */
const beginAfterMs = 1_000;

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readStdioOptions(stdioWords(argv, shell.env));
  return runServer(shell, options, async ({ started, begin, ...server }) => {
    started();
    const cancelBegin = nodeTimers.after(beginAfterMs, begin);
    try {
      await serveMcpStdio({
        ...server,
        input: shell.stdin,
        output: shell.stdout,
        signal: shell.signal,
        version: shell.version,
        onNeeded: begin,
      });
    } finally {
      cancelBegin();
    }
    return 0;
  });
}
