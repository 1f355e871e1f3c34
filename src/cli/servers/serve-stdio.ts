import { serveMcpStdio } from '../../doors/mcp/stdio/serve-mcp-stdio.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { SharedThreads } from '../../node/threads/shared-threads.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { keepList, listKey } from './kept-list.ts';
import { runServer, type Server } from './run-server.ts';

/** Vaults are opened after the first answer, but after this time at the latest. */
const beginAfterMs = 1_000;

/**
 * Serves vaults over stdin and stdout until the client closes them; answers the exit code. `answered`
 * of the first requests in the input were answered already (`greetClient`). `threads` may have been
 * started before.
 */
export function serveStdio(
  shell: Shell,
  options: ServerOptions,
  { answered, threads }: { readonly answered: number; readonly threads?: SharedThreads },
): Promise<number> {
  const serve = async ({ started, begin, ...server }: Server): Promise<number> => {
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
        answered,
        onListed: (list, capabilities) => {
          const key = listKey(shell, options, { vaults: server.service.vaults, capabilities });
          void keepList(shell, key, list);
        },
      });
    } finally {
      cancelBegin();
    }
    return 0;
  };
  return runServer(shell, options, serve, threads);
}
