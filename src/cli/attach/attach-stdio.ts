import { realpath } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { limits } from '../../base/limits.ts';
import { toVaultError } from '../../base/vault-error.ts';
import { vaultFolders } from '../../node/place/vault-folders.ts';
import { connectLocal, localSocketPath, readFirstLine } from '../../node/server/local-socket.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { chooseVaults, type VaultChoice } from '../options/choose-vault.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { openServerLog, warnOfGlobs } from '../servers/server-process.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Shell } from '../shell/shell.ts';
import { type HelloAnswer, helloOf } from './attach-protocol.ts';
import { relayStdio } from './relay-stdio.ts';

/** A server that serves this client over the socket, or none. */
type Found =
  | { readonly socket: Socket; readonly pid: number }
  /** Why there is no server to share. */
  | { readonly reason: string };

/** How long the server may take for its last answers: twice what this process would take itself. */
const lastAnswersMs = 2 * limits.shutdownMs;

/**
 * Passes everything that the client says on to a running server, if one serves these vaults with
 * these options, until the client leaves. Answers the exit code. Undefined when no server can do it;
 * then the log says why, and nothing was read from the client.
 */
export async function attachStdio(
  shell: Shell,
  options: ServerOptions,
): Promise<number | undefined> {
  const logger = openServerLog(shell, options.logLevel);
  const found = await findServer(shell, options);
  if ('reason' in found) {
    logger.log('info', 'not attached', { reason: found.reason });
    return undefined;
  }
  warnOfGlobs(options, logger);
  logger.log('info', 'attached', { version: shell.version, server: found.pid });
  const end = await relayStdio({
    input: shell.stdin,
    output: shell.stdout,
    socket: found.socket,
    signal: shell.signal,
    lastAnswersMs,
  });
  if (end === 'server gone') {
    const message =
      'The shared server has ended. Connect again: then another server is shared, or this program serves the vault itself.';
    logger.log('error', 'server gone', { server: found.pid, message });
    return exitCodes.unavailable;
  }
  logger.log('info', 'end');
  return 0;
}

/** Looks for a server at the socket of each vault. */
async function findServer(shell: Shell, options: ServerOptions): Promise<Found> {
  const { env, currentFolder, version } = shell;
  try {
    const choices = chooseVaults(options.vaults, shell);
    const vaults = await realVaults(choices);
    if (vaults === undefined) return { reason: 'The vault cannot be opened now.' };
    const hello = helloOf({ version, options, choices, vaults, currentFolder });
    let reason = 'No server of this vault runs.';
    for (const { path } of vaults) {
      const folders = vaultFolders(path, env, process.platform);
      const found = await ask(localSocketPath(folders, process.platform), JSON.stringify(hello));
      if (found === undefined) continue;
      if ('socket' in found) return found;
      reason = found.reason;
    }
    return { reason };
  } catch (error) {
    return { reason: toVaultError(error).message };
  }
}

/** Asks the server at this socket to serve this client; undefined when nobody listens there. */
async function ask(path: string, hello: string): Promise<Found | undefined> {
  const socket = await connectLocal(path);
  if (socket === undefined) return undefined;
  if (socket === 'busy') return { reason: 'The server cannot be reached now.' };
  socket.write(`${hello}\n`);
  const { helloBytesMax: bytesMax, helloMs: waitMs } = limits;
  const line = await readFirstLine(socket, { bytesMax, waitMs });
  const answer = answerIn(line);
  if (answer?.ok === true) return { socket, pid: answer.pid };
  socket.destroy();
  return { reason: answer?.reason ?? 'The server does not answer.' };
}

function answerIn(line: string | undefined): HelloAnswer | undefined {
  try {
    return JSON.parse(line ?? '') as HelloAnswer;
  } catch {
    return undefined;
  }
}

/** The vaults with their real paths; undefined when a drive is missing or does not answer. */
function realVaults(choices: readonly VaultChoice[]): Promise<readonly VaultChoice[] | undefined> {
  const paths = choices.map(async ({ name, path }) => ({ name, path: await realpath(path) }));
  const timeout = new Promise<undefined>((resolve) =>
    nodeTimers.after(limits.helloMs, () => resolve(undefined)),
  );
  return Promise.race([Promise.all(paths).catch(() => undefined), timeout]);
}
