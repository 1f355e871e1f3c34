import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { findProgram, type ProgramPlace } from '../find-program.ts';

/** What ssh runs in. */
export interface SshPlace extends ProgramPlace {
  /** Whether a person is there whom it may ask for a password. */
  readonly asks: boolean;
  readonly signal: AbortSignal;
}

/** An ssh that runs. */
export interface SshRun {
  /** Resolves with its exit code when it has ended; undefined when a signal ended it. */
  readonly ended: Promise<number | undefined>;
  /** What it has said on stdout and stderr so far. */
  readonly said: { stdout: string; stderr: string };
  /** Ends it, and resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the system's ssh. It is no `runProgram`: where a person is there, it must stay with their
 * terminal to ask for a password. `host` is as ssh takes it, `user@host` or a name of its
 * configuration. Fails with `invalid_input` for a host that would be an option, and with
 * `unavailable` where there is no ssh.
 */
export function startSsh(
  { host, options, command = [] }: SshCommand,
  { asks, env, platform, signal }: SshPlace,
): SshRun {
  if (host === '' || host.startsWith('-')) {
    throw new VaultError('invalid_input', `"${host}" is no host for ssh; give <user>@<host>.`);
  }
  const program = findProgram([platform === 'win32' ? 'ssh.exe' : 'ssh'], { platform, env });
  if (program === undefined) {
    throw new VaultError('unavailable', 'There is no "ssh" on the PATH; install OpenSSH.');
  }
  // A connection of its own: one that others share would keep our forwarding.
  const own = ['-T', '-o', 'ControlMaster=no', '-o', 'ControlPath=none'];
  const batch = asks ? [] : ['-o', 'BatchMode=yes'];
  const child = spawn(program, [...own, ...batch, ...options, '--', host, ...command], {
    env,
    stdio: [asks ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  return watched(child, signal);
}

export interface SshCommand {
  readonly host: string;
  readonly options: readonly string[];
  /** What runs there; nothing where only something is forwarded. */
  readonly command?: readonly string[];
}

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
    const kill = setTimeout(() => child.kill('SIGKILL'), limits.programKillMs);
    await ended;
    clearTimeout(kill);
  };
  return { ended, said, stop };
}
