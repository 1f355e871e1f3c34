import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { findProgram, type ProgramPlace } from '../find-program.ts';
import { guardCommand } from '../guard-program.ts';

/** How ssh is run. */
export interface SshPlace extends ProgramPlace {
  /** Whether ssh may ask a person at the terminal for a password. */
  readonly asks: boolean;
  readonly signal: AbortSignal;
}

/** A running ssh. */
export interface SshRun {
  /** Resolves with the exit code when ssh has ended; undefined when a signal ended it. */
  readonly ended: Promise<number | undefined>;
  /** What ssh has printed so far, up to a limit. */
  readonly said: { stdout: string; stderr: string };
  /** Ends ssh, and resolves when it has exited. */
  stop(): Promise<void>;
}

/**
 * Starts the system's ssh. Does not use `runProgram`, because ssh needs the user's terminal to ask
 * for a password; it asks there and not on its stdin. It does not outlive us. `host` is `user@host` or a name from ssh's configuration. Fails with
 * `invalid_input` for a host that ssh would take for an option, and with `unavailable` without ssh.
 */
export function startSsh(
  { host, options, command = [] }: SshCommand,
  { asks, env, platform, signal }: SshPlace,
): SshRun {
  if (host === '' || host.startsWith('-')) {
    throw new VaultError('invalid_input', `"${host}" is not a host for ssh; use <user>@<host>.`);
  }
  const program = findProgram([platform === 'win32' ? 'ssh.exe' : 'ssh'], { platform, env });
  if (program === undefined) {
    throw new VaultError('unavailable', 'There is no "ssh" on the PATH; install OpenSSH.');
  }
  // Not through a shared connection, which would keep our forwarding after we have ended.
  const own = ['-T', '-o', 'ControlMaster=no', '-o', 'ControlPath=none'];
  const batch = asks ? [] : ['-o', 'BatchMode=yes'];
  const words = [...own, ...batch, ...options, '--', host, ...command];
  // Not in a process group of its own: only the one in front may ask at the terminal.
  const guard = guardCommand(program, words, { leads: false });
  const child = spawn(guard.file, guard.args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.stdin.on('error', () => undefined); // It has ended already, which `close` tells.
  child.stdin.write('\n');
  return watched(child, signal);
}

interface SshCommand {
  readonly host: string;
  readonly options: readonly string[];
  /** The command to run on the host; empty when ssh only forwards a socket. */
  readonly command?: readonly string[];
}

/** Collects what ssh prints, and ends it when the signal is aborted. */
function watched(child: ChildProcess, signal: AbortSignal): SshRun {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      if (said[name].length < limits.programErrorBytesMax) said[name] += text;
    });
  }
  const end = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  const ended = new Promise<number | undefined>((resolve) => {
    child.on('error', ({ message }) => {
      said.stderr += message;
      resolve(undefined);
    });
    child.on('close', (code) => resolve(code ?? undefined));
  }).finally(() => signal.removeEventListener('abort', end));
  const stop = async (): Promise<void> => {
    end();
    // The end of its stdin makes the guard kill ssh; SIGKILL would reach the guard alone.
    const kill = setTimeout(() => child.stdin?.destroy(), limits.programKillMs);
    await ended;
    clearTimeout(kill);
  };
  return { ended, said, stop };
}
