import { serveMcpStdio } from '../../doors/mcp/stdio/serve-mcp-stdio.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { runServer } from './run-server.ts';

/** Vaults are opened after the first answer, but after this time at the latest. */
const beginAfterMs = 1_000;

/**
 * Serves vaults over stdin and stdout until the client closes them; answers the exit code. With
 * `isGreeted`, the first line of the input is an "initialize" that was answered already.
 */
export function serveStdio(
  shell: Shell,
  options: ServerOptions,
  { isGreeted }: { readonly isGreeted: boolean },
): Promise<number> {
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
        isGreeted,
      });
    } finally {
      cancelBegin();
    }
    return 0;
  });
}
