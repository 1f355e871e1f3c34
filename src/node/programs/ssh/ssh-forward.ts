import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../../base/limits.ts';
import { abortReason, VaultError } from '../../../base/vault-error.ts';
import { connectLocal } from '../../server/local-socket.ts';
import { type SshPlace, type SshRun, startSsh } from './ssh-program.ts';

/** A daemon on another machine. Its paths are relative to the home folder there, or absolute. */
interface SshTarget {
  readonly host: string;
  readonly socket: string;
  readonly tokenFile: string;
}

/** An open tunnel to the daemon on another machine. */
interface SshForward {
  /** The local socket that leads to the daemon's socket. */
  readonly path: string;
  readonly token: string;
  /** Ends ssh and removes the socket. */
  close(): Promise<void>;
}

/** The pause between two attempts to connect. */
const pollMs = 50;
/** Our script's exit code when the token file cannot be read. */
const noTokenCode = 66;

/**
 * Forwards the socket of a daemon on another machine to a local socket with ssh, in a private folder.
 * Fails with `unavailable` and ssh's own words when ssh cannot connect, and when no daemon has left
 * a token there.
 */
export async function forwardOverSsh(target: SshTarget, place: SshPlace): Promise<SshForward> {
  const { home, token } = await lookThere(target, place);
  const socket = target.socket.startsWith('/') ? target.socket : `${home}/${target.socket}`;
  if (socket.includes(':')) {
    throw new VaultError('invalid_input', `ssh cannot forward "${socket}": the path has a colon.`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'vaultdoor-ssh-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 's');
  try {
    const forwards = ['-o', 'ExitOnForwardFailure=yes', '-o', 'StreamLocalBindUnlink=yes'];
    const options = ['-N', ...forwards, '-L', `${path}:${socket}`];
    const ssh = startSsh({ host: target.host, options }, place);
    try {
      await untilListening(path, ssh, target, place);
    } catch (error) {
      await ssh.stop();
      throw error;
    }
    return {
      path,
      token,
      async close() {
        await ssh.stop();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** Asks the other machine for the home folder and the token, in one call. */
async function lookThere(
  { host, tokenFile }: SshTarget,
  place: SshPlace,
): Promise<{ readonly home: string; readonly token: string }> {
  // The blank line separates the answer from what the shell's start-up files may print. The script is
  // in single quotes, which all shells read in the same way.
  const script = `cd; token=$(cat -- "$1") || exit ${noTokenCode}; printf "\\n<%s>\\n<%s>\\n" "$HOME" "$token"`;
  const command = [`exec sh -c '${script}' sh ${quoted(tokenFile)}`];
  const ssh = startSsh({ host, options: [], command }, place);
  const code = await inTime(ssh, place);
  if (code === noTokenCode) {
    throw new VaultError(
      'unavailable',
      `No daemon has left a token in "${tokenFile}" on ${host}; start "vaultdoor daemon" there.`,
    );
  }
  const found = /\n<(?<home>\/[^\n]*)>\n<(?<token>[^\n]*)>\n$/.exec(ssh.said.stdout);
  if (code !== 0 || found === null) throw sshFailure(host, ssh);
  return { home: found.groups?.['home'] ?? '', token: (found.groups?.['token'] ?? '').trim() };
}

/** Waits until ssh accepts connections at the local socket. */
async function untilListening(
  path: string,
  ssh: SshRun,
  { host }: SshTarget,
  { asks, signal }: SshPlace,
): Promise<void> {
  let hasEnded = false;
  void ssh.ended.then(() => {
    hasEnded = true;
  });
  const endMs = Date.now() + limits.remoteSshMs;
  while (true) {
    const socket = await connectLocal(path);
    if (socket !== undefined && socket !== 'busy') {
      socket.destroy();
      return;
    }
    if (signal.aborted) throw abortReason(signal);
    if (hasEnded || (!asks && Date.now() > endMs)) throw sshFailure(host, ssh);
    await setTimeout(pollMs);
  }
}

/** Waits for ssh to end, at most `limits.remoteSshMs` unless it may ask a person; its exit code. */
async function inTime(ssh: SshRun, { asks, signal }: SshPlace): Promise<number | undefined> {
  const timer = new AbortController();
  const timeLimit = setTimeout(limits.remoteSshMs, undefined, { signal: timer.signal })
    .then(() => (asks ? undefined : ssh.stop()))
    .catch(() => undefined);
  const code = await ssh.ended;
  timer.abort();
  await timeLimit;
  if (signal.aborted) throw abortReason(signal);
  return code;
}

/** The error when ssh failed. The last line it printed says why; the lines before may be a greeting. */
function sshFailure(host: string, { said }: SshRun): VaultError {
  const words = said.stderr.trim().split('\n').at(-1)?.trim() || 'it did not say why';
  return new VaultError('unavailable', `ssh cannot reach ${host}: ${words}`);
}

/** A text as one quoted word for the shell on the other machine. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
