import { homedir } from 'node:os';
import { abortReason, toVaultError, VaultError } from '../../base/vault-error.ts';
import { RemoteClient } from '../../doors/remote/remote-client.ts';
import { protocolErrorCodes, RemoteError } from '../../doors/remote/remote-errors.ts';
import { forwardOverSsh } from '../../node/programs/ssh/ssh-forward.ts';
import { connectLocal } from '../../node/server/local-socket.ts';
import { readSecretFile } from '../../node/system/private-files.ts';
import { type RemotePlace, readRemoteOptions } from '../options/remote-options.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { runRemoteAction } from './remote-actions.ts';
import { vaultErrorFromRemote } from './vault-error-from-remote.ts';

const help = `Usage: vaultdoor remote [--ssh <user>@<host>] <what> [options]

Read, write and watch the files of a vault that "vaultdoor daemon" serves, on another machine (through
ssh) or on this one.

  ls [path]               List the names in a folder; names of folders end with "/".
  cat <path>              Print the bytes of a file to stdout.
  put <path> [file]       Write a file there, from a file here or from stdin.
  watch [path]            Print a line for each change in a folder and below it, until Ctrl-C.
  info                    Print the version of the daemon and what it can do.

  --ssh <user>@<host>     The other machine, as ssh knows it.
  --socket <path>         The socket of the daemon (default: ~/.obsidian-remote/server.sock).
  --token-file <path>     The file with its token (default: ~/.obsidian-remote/token).
  --if-mtime <ms>         For put: only if the file still has this time, as "ls --json" shows it.
  --json                  The whole answer as JSON; for watch, one line for each change.

Examples:
  vaultdoor remote --ssh me@server ls
  vaultdoor remote --ssh me@server cat Home.md
  date | vaultdoor remote --ssh me@server put Now.md
`;

/** `vaultdoor remote`: a small client of the remote protocol. */
export const remoteProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const { currentFolder, env } = shell;
  const home = env['HOME'] || homedir();
  const { place, action, json } = readRemoteOptions(argv, { home, currentFolder });
  const daemon = await reach(shell, place);
  try {
    const client = await connect(daemon, place);
    const leave = (): void => client.close(); // Calls that wait for an answer fail then.
    shell.signal.addEventListener('abort', leave, { once: true });
    try {
      await runRemoteAction(shell, client, { ...action, json });
      return 0;
    } finally {
      leave();
    }
  } catch (error) {
    throw shell.signal.aborted ? abortReason(shell.signal) : vaultErrorFromRemote(error);
  } finally {
    await daemon.close();
  }
}

/** Where to connect to a daemon, and its token. */
interface Reached {
  readonly path: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Reads the token of a daemon, on this machine or through ssh. */
async function reach(shell: Shell, { host, socket, tokenFile }: RemotePlace): Promise<Reached> {
  const { env, signal, stdin, stderr } = shell;
  if (host === undefined) {
    return { path: socket, token: tokenIn(tokenFile), close: async () => undefined };
  }
  const asks = stdin.isTTY === true && stderr.isTTY === true;
  const { platform } = process;
  return forwardOverSsh({ host, socket, tokenFile }, { asks, env, platform, signal });
}

function tokenIn(file: string): string {
  try {
    return readSecretFile(file, '--token-file').trim();
  } catch (error) {
    if (toVaultError(error).code !== 'not_found') throw error;
    throw new VaultError(
      'unavailable',
      `No daemon has left a token in "${file}"; start "vaultdoor daemon" first.`,
    );
  }
}

/** Connects to the daemon. Fails with `unavailable` when there is none. */
async function connect({ path, token }: Reached, place: RemotePlace): Promise<RemoteClient> {
  const socket = await connectLocal(path);
  if (socket === undefined || socket === 'busy') throw noDaemon(place);
  try {
    return await RemoteClient.connect(socket, { token, client: 'vaultdoor remote' });
  } catch (error) {
    // ssh accepts the connection before it knows whether anybody listens there, and then closes it.
    const hungUp = error instanceof RemoteError && error.code === protocolErrorCodes.internalError;
    throw hungUp ? noDaemon(place) : error;
  }
}

function noDaemon({ host, socket }: RemotePlace): VaultError {
  const [where, there] = host === undefined ? ['', 'first'] : [` on ${host}`, 'there'];
  return new VaultError(
    'unavailable',
    `No daemon listens at "${socket}"${where}; start "vaultdoor daemon" ${there}.`,
  );
}
