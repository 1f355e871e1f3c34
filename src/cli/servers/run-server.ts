import { allScopes, type Scopes } from '../../base/caller.ts';
import type { Logger } from '../../base/logger.ts';
import { faultOrigin } from '../../base/logger.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { openStderrLogger } from '../../node/system/stderr-logger.ts';
import { createService, type Service } from '../../tools/service/service.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hideInVaults } from '../options/hide-in-vaults.ts';
import { effectsOf, type ServerOptions } from '../options/server-options.ts';
import { serverToolsets } from '../options/server-toolsets.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Shell } from '../shell/shell.ts';
import { closeInTime, openInTurn, serverVault } from '../vaults/server-vaults.ts';
import { checkVault } from '../vaults/vault-places.ts';
import { vaultsToServe } from '../vaults/vaults-to-serve.ts';
import type { WaitingVault } from '../vaults/waiting-vault.ts';

/** What a door is given to serve. */
export interface Server {
  readonly service: Service;
  readonly logger: Logger;
  /** What someone may do whom nothing limits further. */
  readonly scopes: Scopes;
  readonly deadlineMs: (tool?: string) => number;
  readonly choices: readonly VaultChoice[];
  readonly vaults: readonly WaitingVault[];
  /** Tells the log that it serves, and how. */
  readonly started: (values?: Readonly<Record<string, string | number>>) => void;
  /** Opens the vaults and begins to index them, once. */
  readonly begin: () => void;
}

/**
 * Serves vaults through a door until that is done with it, and closes them. Fails before anything
 * is begun where options and vaults cannot be served; `serve` answers the exit code.
 */
export async function runServer(
  shell: Shell,
  options: ServerOptions,
  serve: (server: Server) => Promise<number>,
): Promise<number> {
  const choices = vaultsToServe(shell, options, checkVault);
  const names = choices.map(({ name }) => name);
  const toolsets = await serverToolsets(options, names);
  const { logLevel: level } = options;
  const logger = openStderrLogger({ stream: shell.stderr, level, nowMs: Date.now });
  const vaults = choices.map((choice) => serverVault(choice, { shell, options, logger }));
  const crashed = (error: unknown): void => {
    logger.log('error', 'crash', faultOrigin(error));
    process.exit(exitCodes.internal);
  };
  process.on('uncaughtException', crashed);
  const begin = once(() => void openInTurn(vaults, logger));
  try {
    shell.ownStreams?.();
    shell.stderr.on('error', () => undefined); // A log that nobody reads is no reason to leave.
    let isStarted = false;
    const started: Server['started'] = (values) => {
      isStarted = true;
      const tools = options.toolsets.join(',');
      const { version } = shell;
      logger.log('info', 'start', { version, vault: names.join(', '), tools, ...values });
    };
    const code = await serve({
      service: createService(vaults, toolsets, nodeTimers),
      logger,
      scopes: scopesOf(options, choices),
      deadlineMs: (tool = '') => options.toolDeadlinesMs.get(tool) ?? options.deadlineMs,
      choices,
      vaults,
      started,
      begin,
    });
    if (isStarted) logger.log('info', 'end');
    return code;
  } finally {
    await closeInTime(vaults, logger);
    process.off('uncaughtException', crashed);
  }
}

function scopesOf(options: ServerOptions, choices: readonly VaultChoice[]): Scopes {
  const folders = choices.map(({ path }) => path);
  return {
    ...allScopes,
    effects: effectsOf(options),
    hide: hideInVaults(options.hide, folders),
  };
}

function once(call: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    call();
  };
}
