import { basename, dirname } from 'node:path';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { ReadRequest } from '../../doors/remote/read-request.ts';
import { RemoteDoor } from '../../doors/remote/remote-door.ts';
import type { Vault } from '../../engine/open/vault.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { checkTokenFile, newDaemonToken, publishToken } from '../../node/server/daemon-token.ts';
import type { LocalListener } from '../../node/server/local-socket.ts';
import { errnoOf } from '../../node/system/disk-error.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { closePrivateFolder, makePrivateFolder } from '../../node/system/private-files.ts';
import { ThreadReader } from '../../node/workers/thread-reader.ts';
import { hasFullText } from '../../sqlite/connection/open-database.ts';
import { fsToolset } from '../../tools/fs/fs-toolset.ts';
import { createService } from '../../tools/service/service.ts';
import { type DaemonOptions, readDaemonOptions } from '../options/daemon-options.ts';
import { closeInTime, runWithLog, untilAborted } from '../servers/server-process.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { print } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { openVault } from '../vaults/compose.ts';
import { logMeaning } from '../vaults/log-meaning.ts';
import { logPresence } from '../vaults/log-presence.ts';
import { readLogOf } from '../vaults/read-log-of.ts';
import { listenForRemote } from '../vaults/server-files.ts';
import { checkVault } from '../vaults/vault-places.ts';

const optionsHelp = `  --vault-root <folder>   The vault; required.
  --socket <path>         The socket to listen on (default: ~/.obsidian-remote/server.sock).
  --token-file <path>     The file to write the token to (default: ~/.obsidian-remote/token).
  --log-reads             Keep which files apps read; "vaultdoor reads" lists them.
  --brake <files|off>     After more than this many files deleted or overwritten whole within ten
                          minutes by one app, ask the owner ("vaultdoor approvals"; default: off).
  --embed <url|local>     Search by meaning too, with the embedding model at this address or in a
                          package; with --embed-model, --embed-api, --embed-key-file and
                          --embed-package as for "vaultdoor serve".
  --verbose               Log connections and faults to stderr.
  --version               Print the version.
`;

const help = `Usage: vaultdoor daemon --vault-root <folder> [options]

Serve the files of a vault over a Unix socket to apps that connect through SSH: the Obsidian plugin
for the remote protocol, or "vaultdoor remote". Whoever can read the token file can connect. After
SIGTERM or Ctrl-C it answers the calls that are running, and ends.

${optionsHelp}
The exit code is 0, 2 for wrong flags or a vault that is not there, and 1 for every other failure.

Examples:
  vaultdoor daemon --vault-root ~/Notes
`;

/** The exit code of a daemon that failed; clients that deploy daemons expect this one. */
const failedCode = 1;

/** `vaultdoor daemon`: serves the files of a vault over the remote protocol. */
export const daemonProgram: Program = { help, run: runDaemon };

const fileHelp = `Usage: server --vault-root <folder> [options]

${optionsHelp}`;

/**
 * The daemon as a program of its own, one file to copy to another machine: it takes the arguments of
 * `vaultdoor daemon`. Help goes to stderr with the exit code of a failure, as the clients that deploy
 * such daemons expect.
 */
export async function runDaemonFile(shell: Shell): Promise<number> {
  if (shell.argv.some((word) => /^--?h(elp)?$/.test(word))) {
    shell.stderr.write(fileHelp);
    return exitCodes.invalid_input;
  }
  return runDaemon(shell, shell.argv);
}

/** Runs with the arguments after `daemon` and answers the exit code. Failures go to stderr. */
async function runDaemon(shell: Shell, argv: readonly string[]): Promise<number> {
  try {
    const { env, currentFolder } = shell;
    const options = readDaemonOptions(argv, { home: env['HOME'], currentFolder });
    if (options === 'version') return print(shell, `${shell.version}\n`);
    checkVault({ name: '', path: options.vaultRoot }, env);
    await checkTokenFile(options.tokenFile);
    return await serve(shell, options);
  } catch (error) {
    const { code, message } = toVaultError(error);
    shell.stderr.write(`vaultdoor: ${message}\n`);
    const isMisuse = code === 'invalid_input' || code === 'vault_not_found';
    return isMisuse ? exitCodes.invalid_input : failedCode;
  }
}

async function serve(shell: Shell, options: DaemonOptions): Promise<number> {
  const log = { level: options.verbose ? 'debug' : 'warn', crashCode: failedCode } as const;
  return runWithLog(shell, log, async (logger) => {
    // The SSH session that started the daemon ends; the daemon stays.
    const hangup = (): void => logger.log('debug', 'hangup');
    process.on('SIGHUP', hangup);
    const name = basename(options.vaultRoot);
    const vault = openVault(
      { name, path: options.vaultRoot },
      {
        entryFile: shell.entryFile,
        env: shell.env,
        watch: true,
        index: 'when asked',
        ...readLogOf(options, logger),
        ...(options.embed === undefined
          ? {}
          : {
              meaning: {
                embed: options.embed,
                view: wholeVault,
                onProgress: logMeaning(logger, name),
              },
            }),
        onRecovered: ({ id, tool, outcome }) =>
          logger.log('warn', 'recovered', { change: id, tool, outcome }),
        onProblem: (problem) => logger.log('warn', 'setting', { problem }),
        onHistoryLost: () => logger.log('warn', 'history removed or replaced'),
      },
    );
    const reader = new ThreadReader<ReadRequest>({
      entryFile: shell.entryFile,
      format: 'remote',
      timers: nodeTimers,
    });
    const endLooks = logPresence(vault, { name, logger, timers: nodeTimers });
    try {
      await serveVault(shell, options, { vault, reader, logger });
      return 0;
    } finally {
      endLooks();
      await closeInTime([vault, reader], { waitMs: closeMs, logger });
      process.off('SIGHUP', hangup);
    }
  });
}

/** Listens before it writes the token: clients wait for the token, and then connect only once. */
async function serveVault(
  shell: Shell,
  options: DaemonOptions,
  {
    vault,
    reader,
    logger,
  }: {
    readonly vault: Vault;
    readonly reader: ThreadReader<ReadRequest>;
    readonly logger: Logger;
  },
): Promise<void> {
  const { vaultRoot, socket, tokenFile, brakeFiles } = options;
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
    scopes: { ...allScopes, ...(brakeFiles === undefined ? {} : { brakeFiles }) },
    timers: nodeTimers,
    readLarge: (bytes) => reader.read(bytes),
  });
  await makeFolders(options);
  const listener = await listenForRemote(socket, env, (client) => door.accept(client));
  const removeToken = await publishOrClose(tokenFile, token, listener);
  shell.stderr.write(
    `vaultdoor daemon ${version}\nvault: ${vaultRoot}\nsocket: ${socket}\ntoken: ${tokenFile}\n`,
  );
  await untilAborted(signal);
  logger.log('info', 'stopping', { connections: door.connections });
  await Promise.all([listener.close(), removeToken()]);
  await door.close({ waitMs: answerMs });
}

/** Of the time to shut down, this much is kept for closing the vault. */
const closeMs = 3_000;
const answerMs = limits.shutdownMs - closeMs;

/** Makes the folders of socket and token. Our own one is always closed to other users. */
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

/** Writes the token and answers what removes it; closes the listener when that fails. */
async function publishOrClose(
  file: string,
  token: string,
  listener: LocalListener,
): Promise<() => Promise<void>> {
  try {
    return await publishToken(file, token);
  } catch (error) {
    await listener.close();
    if (error instanceof VaultError) throw error;
    throw new VaultError('io_failed', `The token cannot be written to "${file}".`, {
      cause: error,
    });
  }
}
