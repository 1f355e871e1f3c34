import { basename, dirname } from 'node:path';
import { allScopes } from '../../base/caller.ts';
import { faultOrigin } from '../../base/fault-origin.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { RemoteDoor } from '../../doors/remote/remote-server.ts';
import type { Vault } from '../../engine/open/vault.ts';
import { newDaemonToken, publishToken } from '../../node/server/daemon-token.ts';
import type { LocalListener } from '../../node/server/local-socket.ts';
import { errnoOf } from '../../node/system/disk-error.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { closePrivateFolder, makePrivateFolder } from '../../node/system/private-files.ts';
import { openStderrLogger } from '../../node/system/stderr-logger.ts';
import { hasFullText } from '../../sqlite/connection/open-database.ts';
import { fsToolset } from '../../tools/fs/fs-toolset.ts';
import { createService } from '../../tools/service/service.ts';
import { type DaemonOptions, readDaemonOptions } from '../options/daemon-options.ts';
import { untilAborted } from '../servers/until-aborted.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { print } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { listenForRemote, openVault } from '../vaults/compose.ts';
import { checkVault } from '../vaults/vault-places.ts';

/** The options, as both the program's help and that of the single file show them. */
export const daemonOptionsHelp = `  --vault-root <folder>   The vault; must be given.
  --socket <path>         Where it listens (default: ~/.obsidian-remote/server.sock).
  --token-file <path>     Where it leaves the token (default: ~/.obsidian-remote/token).
  --verbose               Log connections and faults to stderr.
  --version               Print the version.
`;

const help = `Usage: vaultdoor daemon --vault-root <folder> [options]

Serve the files of a vault over a Unix socket to clients that come in through SSH: the Obsidian plugin
of the remote protocol, or "vaultdoor remote". Whoever can read the token file may come in. SIGTERM or
Ctrl-C ends it when what runs is answered.

${daemonOptionsHelp}
Ends with 0, with 2 for flags or a vault that make no sense, and with 1 for all else.
`;

/** How a daemon ends that could not do its work; other programs of the protocol expect this one. */
const failedCode = 1;

/** `vaultdoor daemon`: the files of a vault over the remote protocol. */
export const daemonProgram: Program = { help, run: runDaemon };

/** Runs with the words after `daemon` and answers the exit code. Failures go to stderr. */
export async function runDaemon(shell: Shell, argv: readonly string[]): Promise<number> {
  try {
    const { env, currentFolder } = shell;
    const options = readDaemonOptions(argv, { home: env['HOME'], currentFolder });
    if (options === 'version') return print(shell, `${shell.version}\n`);
    checkVault({ name: '', path: options.vaultRoot }, env);
    return await serve(shell, options);
  } catch (error) {
    const { code, message } = toVaultError(error);
    shell.stderr.write(`vaultdoor: ${message}\n`);
    const isMisuse = code === 'invalid_input' || code === 'vault_not_found';
    return isMisuse ? exitCodes.invalid_input : failedCode;
  }
}

async function serve(shell: Shell, options: DaemonOptions): Promise<number> {
  const level = options.verbose ? 'debug' : 'warn';
  const logger = openStderrLogger({ stream: shell.stderr, level, nowMs: Date.now });
  const crashed = (error: unknown): void => {
    logger.log('error', 'crash', faultOrigin(error));
    process.exit(failedCode);
  };
  const stayed = (): void => logger.log('debug', 'hangup'); // The session that started us has ended.
  process.on('uncaughtException', crashed).on('SIGHUP', stayed);
  shell.ownStreams?.();
  shell.stderr.on('error', () => undefined); // A log that nobody reads is no reason to leave.
  const vault = openVault(
    { name: basename(options.vaultRoot), path: options.vaultRoot },
    {
      entryFile: shell.entryFile,
      env: shell.env,
      watch: true,
      index: 'when asked',
      thumbnails: true,
      onRecovered: ({ id, tool, outcome }) =>
        logger.log('warn', 'recovered', { change: id, tool, outcome }),
    },
  );
  try {
    await serveVault(shell, options, { vault, logger });
    return 0;
  } finally {
    await closeInTime(vault, logger);
    process.off('uncaughtException', crashed).off('SIGHUP', stayed);
  }
}

/** Listens first and publishes the token then: clients wait for the token, and knock once. */
async function serveVault(
  shell: Shell,
  options: DaemonOptions,
  { vault, logger }: { readonly vault: Vault; readonly logger: Logger },
): Promise<void> {
  const { vaultRoot, socket, tokenFile } = options;
  const { version, signal, env } = shell;
  const thumbnails = vault.parts.thumbnails !== undefined;
  const toolset = fsToolset({ thumbnails, search: await hasFullText() });
  const token = newDaemonToken();
  const door = new RemoteDoor({
    service: createService(vault, [toolset], nodeTimers),
    logger,
    version,
    vaultRoot,
    token,
    scopes: allScopes,
    timers: nodeTimers,
  });
  await makeFolders(options);
  const listener = await listenForRemote(socket, env, (client) => door.accept(client));
  const removeToken = await published(tokenFile, token, listener);
  shell.stderr.write(
    `vaultdoor daemon ${version}\nvault: ${vaultRoot}\nsocket: ${socket}\ntoken: ${tokenFile}\n`,
  );
  await untilAborted(signal);
  logger.log('info', 'stopping', { connections: door.connections });
  await Promise.all([listener.close(), removeToken()]);
  await door.close({ waitMs: answerMs });
}

/** What is left of the time to leave is for closing the vault. */
const closeMs = 3_000;
const answerMs = limits.shutdownMs - closeMs;

async function makeFolders({ socket, tokenFile, ownFolder }: DaemonOptions): Promise<void> {
  for (const folder of new Set([dirname(socket), dirname(tokenFile)])) {
    try {
      await (folder === ownFolder ? closePrivateFolder(folder) : makePrivateFolder(folder));
    } catch (error) {
      const errno = errnoOf(error) ?? 'unknown';
      throw new VaultError('io_failed', `The folder "${folder}" cannot be made (${errno}).`, {
        cause: error,
      });
    }
  }
}

async function published(
  file: string,
  token: string,
  listener: LocalListener,
): Promise<() => Promise<void>> {
  try {
    return await publishToken(file, token);
  } catch (error) {
    await listener.close();
    throw new VaultError('io_failed', `The token cannot be written to "${file}".`, {
      cause: error,
    });
  }
}

/** Leaves in any case: what a disk that hangs keeps us from closing is recovered at the next start. */
async function closeInTime(vault: Vault, logger: Logger): Promise<void> {
  const cancel = nodeTimers.after(closeMs, () => {
    logger.log('warn', 'left without closing the vault');
    process.exit(0);
  });
  await vault.close();
  cancel();
}
