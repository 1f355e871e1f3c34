import { allScopes, type Scopes, type ServedToolset } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { ReadJson } from '../../base/read-json.ts';
import type { SessionBook } from '../../base/session-book.ts';
import type { AppViews } from '../../doors/mcp/server/app-views.ts';
import type { LargeReader } from '../../doors/mcp/server/read-message.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { SharedThreads } from '../../node/threads/shared-threads.ts';
import { ThreadReader } from '../../node/workers/thread-reader.ts';
import type { BriefBooks } from '../../oauth/ports/brief-book.ts';
import type { OAuthBook } from '../../oauth/ports/oauth-book.ts';
import type { OwnerBook } from '../../oauth/ports/owner-book.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import { createService, type Service } from '../../tools/service/service.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hideInVaults, type ServerOptions } from '../options/server-options.ts';
import { serverToolsets } from '../options/server-toolsets.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Shell } from '../shell/shell.ts';
import { openEmbedder } from '../vaults/open-meaning.ts';
import { serverNotice } from '../vaults/server-notice.ts';
import { openInTurn, serverVault } from '../vaults/server-vaults.ts';
import { vaultOfFolder } from '../vaults/vault-of-folder.ts';
import { checkVault } from '../vaults/vault-places.ts';
import { vaultsToServe } from '../vaults/vaults-to-serve.ts';
import type { WaitingVault } from '../vaults/waiting-vault.ts';
import { openAppViews } from './app-views.ts';
import type { ConsoleVaults } from './console-vaults.ts';
import { closeInTime, runWithLog, warnOfGlobs } from './server-process.ts';

/** What a door is given to serve. */
export interface Server {
  readonly service: Service;
  readonly logger: Logger;
  /** What a caller may do at most. */
  readonly scopes: Scopes;
  readonly deadlineMs: (tool?: string) => number;
  readonly choices: readonly VaultChoice[];
  /** The vaults that are served here; none in a cluster, whose vaults only `service` reaches. */
  readonly vaults: readonly WaitingVault[];
  /** A service with these toolsets over the same vaults; in a cluster, over those that are named. */
  readonly makeService: (
    toolsets: readonly ServedToolset[],
    vaults?: readonly string[],
  ) => Promise<Service>;
  /** Who may come in, where that is kept for a whole cluster. */
  readonly books?: ServerBooks;
  /** How the console reaches the vaults of a cluster. */
  readonly consoleVaults?: ConsoleVaults;
  /** Reads long messages in a thread. */
  readonly readLarge: LargeReader;
  /** What clients that show views are offered. */
  readonly views: AppViews;
  /** Finds the vault of a folder; absent where only one vault is served. */
  readonly vaultOfFolder?: (folder: string) => Promise<string | undefined>;
  /** Logs that the server has started, with these values. */
  readonly started: (values?: Readonly<Record<string, string | number>>) => void;
  /** Opens the vaults and begins to index them. Calling it again has no effect. */
  readonly begin: () => void;
}

/** The books of a server that are not files of this machine. */
interface ServerBooks {
  readonly tokens: TokenBook;
  readonly sessions: SessionBook;
  readonly oauth: OAuthBook;
  readonly owner: OwnerBook;
  readonly brief: BriefBooks;
}

/**
 * Serves vaults through a door until `serve` is done, which answers the exit code, and then closes
 * them. Fails before it has started anything where the options or the vaults are wrong.
 */
export async function runServer(
  shell: Shell,
  options: ServerOptions,
  serve: (server: Server) => Promise<number>,
  threads = new SharedThreads(),
): Promise<number> {
  const choices = vaultsToServe(shell, options, checkVault);
  const names = choices.map(({ name }) => name);
  const toolsets = await serverToolsets(options, names);
  // Only for its checks: the package, or the file with the key, must be there.
  if (options.embed !== undefined) await openEmbedder(options.embed, shell).close();
  const log = { level: options.logLevel, crashCode: exitCodes.internal };
  return runWithLog(shell, log, async (logger) => {
    warnOfGlobs(options, logger);
    const notice = serverNotice(shell, options, logger);
    const parts = { shell, options, logger, notice, threads };
    const hasOthers = choices.length > 1;
    const vaults = choices.map((choice) => serverVault(choice, { ...parts, hasOthers }));
    const reader = new ThreadReader<ReadJson>({
      entryFile: shell.entryFile,
      format: 'json',
      timers: nodeTimers,
    });
    let isStarted = false;
    const started: Server['started'] = (values) => {
      isStarted = true;
      const tools = options.toolsets.join(',');
      const { version } = shell;
      logger.log('info', 'start', { version, vault: names.join(', '), tools, ...values });
    };
    try {
      const code = await serve({
        service: createService(vaults, toolsets, nodeTimers),
        logger,
        scopes: serverScopes(options, choices),
        deadlineMs: (tool = '') => options.toolDeadlinesMs.get(tool) ?? options.deadlineMs,
        choices,
        vaults,
        makeService: async (toolsets) =>
          createService(vaults, await serverToolsets({ ...options, toolsets }, names), nodeTimers),
        readLarge: (bytes) => reader.read(bytes),
        views: openAppViews(shell.entryFile),
        ...(choices.length > 1 ? { vaultOfFolder: vaultOfFolder(choices) } : {}),
        started,
        begin: once(() => void openInTurn(vaults, logger)),
      });
      if (isStarted) logger.log('info', 'end');
      return code;
    } finally {
      const open = [...vaults, reader, ...(notice === undefined ? [] : [notice])];
      await closeInTime(open, { waitMs: limits.shutdownMs, logger });
    }
  });
}

/** What callers may do at most, by the options of the server. */
export function serverScopes(options: ServerOptions, choices: readonly VaultChoice[]): Scopes {
  const folders = choices.map(({ path }) => path);
  const { brake = limits.brakeFiles } = options;
  return {
    ...allScopes,
    effects: options.rights,
    ...(brake === 'off' ? {} : { brakeFiles: brake }),
    hide: hideInVaults(options.hide, folders),
    hideTags: options.hideTags,
    hideProperties: options.hideProperties,
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
