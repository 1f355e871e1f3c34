import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../base/limits.ts';
import { VaultError } from '../base/vault-error.ts';

export interface RunProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly outputBytesMax: number;
  /**
   * The sentences for its user when its time is over, when it prints too much, and what is added
   * when the call is called off while it runs.
   */
  readonly says: { readonly late: string; readonly tooMuch: string; readonly stopped: string };
}

export interface ProgramResult {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: Uint8Array;
  /** As far as it is kept; for telling failures apart, never for a log. */
  readonly stderr: string;
}

/**
 * Runs a program without a shell and answers when it has ended, whatever its exit code. It is
 * ended, with everything that it has started, when its time is over (`timeout`), when it prints too
 * much (`too_large`), and when the call is called off; what it has done by then nobody knows, and
 * the error says so (`details.outcome`). Fails as the system does when it cannot be started.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { env, signal, deadlineMs, outputBytesMax, says }: RunProgramOptions,
): Promise<ProgramResult> {
  if (signal.aborted) throw endingOf(signal);
  return new Promise((resolve, reject) => {
    // Where no file descriptor is left, it has no streams, and only then fails.
    const child: ChildProcess = spawn(file, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its children can be ended with it; Windows has other means.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let stdoutBytes = 0;
    let stderrBytes = 0;
    let drain: NodeJS.Timeout | undefined;
    const leave = (): void => {
      clearTimeout(deadline);
      clearTimeout(drain);
      signal.removeEventListener('abort', abort);
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const stop = (error: VaultError): void => {
      leave();
      endGroup(child);
      reject(error);
    };
    const finish = (exitCode: number | null): void => {
      leave();
      resolve({
        exitCode: exitCode ?? undefined,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString(),
      });
    };
    const details = { outcome: 'unknown' };
    const abort = (): void => {
      const { code, message } = endingOf(signal);
      stop(new VaultError(code, `${message} ${says.stopped}`, { details }));
    };
    const late = (): void => stop(new VaultError('timeout', says.late, { details }));
    const deadline = setTimeout(late, deadlineMs);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout?.on('data', (bytes: Buffer) => {
      stdoutBytes += bytes.length;
      if (stdoutBytes > outputBytesMax) {
        return stop(new VaultError('too_large', says.tooMuch));
      }
      stdout.push(bytes);
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      // The rest is read all the same: a full pipe would hold the program up.
      if (stderrBytes < limits.programErrorBytesMax) stderr.push(bytes);
      stderrBytes += bytes.length;
    });
    child.on('error', (error) => {
      leave();
      reject(error);
    });
    // A child that it leaves behind may hold its output open for ever; the answer is complete then.
    child.on('exit', (exitCode) => {
      clearTimeout(deadline);
      drain = setTimeout(() => finish(exitCode), limits.programDrainMs);
    });
    child.on('close', finish);
  });
}

/** Asks a program and its children to end, and kills them a moment later. */
function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    endTree(pid);
  } else {
    signalGroup(pid, 'SIGTERM');
    setTimeout(() => signalGroup(pid, 'SIGKILL'), limits.programKillMs);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

/** Windows has no groups, but a program that knows who started whom. */
function endTree(pid: number): void {
  const taskkill = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
  const killer = spawn(taskkill, ['/pid', String(pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  killer.on('error', () => undefined); // Nothing is left to try.
}

/** Why a call ends early, as its caller said it. */
export function endingOf(signal: AbortSignal): VaultError {
  return signal.reason instanceof VaultError
    ? signal.reason
    : new VaultError('cancelled', 'The call was cancelled.');
}
