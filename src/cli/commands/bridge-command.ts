import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { allScopes } from '../../base/caller.ts';
import { createBridgeService } from '../../doors/bridge/bridge-service.ts';
import { serveMcpStdio } from '../../doors/mcp/stdio/serve-mcp-stdio.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { keptText, readSecretFile } from '../../node/system/private-files.ts';
import { readBridgeOptions } from '../options/bridge-options.ts';
import { runWithLog } from '../servers/server-process.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Program, Shell } from '../shell/shell.ts';

const help = `Usage: vaultdoor bridge [options]

Serve the tools of a Bridge v1 server (the Obsidian plugin, or "vaultdoor serve --bridge") to an AI
app over stdin and stdout, until the app closes them. The Bridge v1 server may be started later,
stopped and started again. The log goes to stderr.

  --url <address>           The Bridge v1 server (default: http://127.0.0.1:3000).
  --timeout <seconds>       How long a call may take (default: 45).
  --poll <seconds>          How often to ask for the list of tools, if the server does not report
                            changes of it (default: 5).
  --key-file <file>         The file with the key that the server needs; sent with every request.
  --log-level <silent|error|warn|info|debug>
                            What to log (default: info).

OBSIDIAN_MCP_HOST, OBSIDIAN_MCP_PORT and OBSIDIAN_MCP_API_KEY in the environment are used where an
option is not given.

Examples:
  vaultdoor bridge
  vaultdoor bridge --url http://127.0.0.1:3000 --key-file ~/bridge-key
`;

/** `vaultdoor bridge`: an MCP server on stdin and stdout whose tools are those of a Bridge v1 server. */
export const bridgeProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const { url, key, pollMs, deadlineMs, logLevel, ignored } = readBridgeOptions(
    argv,
    shell.env,
    (file) => readSecretFile(resolve(shell.currentFolder, file), '--key-file'),
  );
  return runWithLog(shell, { level: logLevel, crashCode: exitCodes.internal }, async (logger) => {
    for (const { variable, used } of ignored) logger.log('warn', 'ignored', { variable, used });
    logger.log('info', 'start', { version: shell.version, url, key: key !== undefined });
    const service = createBridgeService({
      url,
      ...(key === undefined ? {} : { key }),
      pollMs,
      logger,
      timers: nodeTimers,
      kept: keptText(toolsFile(shell, url)),
    });
    try {
      await serveMcpStdio({
        service,
        logger,
        input: shell.stdin,
        output: shell.stdout,
        signal: shell.signal,
        version: shell.version,
        scopes: allScopes,
        deadlineMs: () => deadlineMs,
      });
      logger.log('info', 'end');
      return 0;
    } finally {
      await service.close();
    }
  });
}

/** The file that keeps the last list of tools of this server. */
function toolsFile(shell: Shell, url: string): string {
  const id = createHash('sha256').update(url).digest('hex').slice(0, 16);
  return join(appFolders(shell.env, process.platform).cache, 'bridge', `${id}.json`);
}
