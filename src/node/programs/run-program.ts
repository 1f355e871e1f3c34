import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../../base/limits.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';

/** What every run of a program needs. */
interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that it runs in; ours when absent. */
  readonly cwd?: string;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /**
   * Where it is ended before its time, the failure waits until it is gone: for programs that must
   * not overlap with whatever comes next.
   */
  readonly awaitsEnd?: true;
}

export interface RunProgramOptions extends ProgramOptions {
  readonly outputBytesMax: number;
  /**
   * The sentences for its user when its time is over, when it prints too much, and what is added
   * when the call is called off while it runs.
   */
  readonly says: { readonly late: string; readonly tooMuch: string; readonly stopped: string };
}

export interface StreamProgramOptions extends ProgramOptions {
  /**
   * Takes what it prints as it comes. `'enough'` ends the program; so does an error, which is then
   * how the run fails.
   */
  readonly onOutput: (bytes: Buffer) => 'enough' | undefined;
  /** The same for stderr, of which the result keeps the beginning all the same. */
  readonly onErrorOutput?: (bytes: Buffer) => 'enough' | undefined;
  /**
   * The sentences when its time is over and when it is called off. `stopped` is absent for a program
   * that only looks: nobody wonders then what it has done.
   */
  readonly says: { readonly late: string; readonly stopped?: string };
}

/** How a program ended. */
export interface ProgramEnd {
  /** Undefined when a signal ended it, ours included. */
  readonly exitCode: number | undefined;
  /** As far as it is kept; for telling failures apart, never for a log. */
  readonly stderr: string;
}

export interface ProgramResult extends ProgramEnd {
  readonly stdout: Uint8Array;
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
  { outputBytesMax, ...options }: RunProgramOptions,
): Promise<ProgramResult> {
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  const onOutput = (bytes: Buffer): undefined => {
    stdoutBytes += bytes.length;
    if (stdoutBytes > outputBytesMax) throw new VaultError('too_large', options.says.tooMuch);
    stdout.push(bytes);
  };
  const end = await streamProgram(file, args, { ...options, onOutput });
  return { ...end, stdout: Buffer.concat(stdout) };
}

/**
 * Runs a program as `runProgram` does and hands on what it prints while it runs, so that it can be
 * ended as soon as that is enough.
 */
export async function streamProgram(
  file: string,
  args: readonly string[],
  options: StreamProgramOptions,
): Promise<ProgramEnd> {
  const { env, cwd, signal, deadlineMs, awaitsEnd, says, onOutput, onErrorOutput } = options;
  if (signal.aborted) throw abortReason(signal);
  return new Promise((resolve, reject) => {
    // Where no file descriptor is left, it has no streams, and only then fails.
    const child: ChildProcess = spawn(file, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its children can be ended with it; Windows has other means.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const stderr: Buffer[] = [];
    let stderrBytes = 0;
    let drain: NodeJS.Timeout | undefined;
    const leave = (): void => {
      clearTimeout(deadline);
      clearTimeout(drain);
      signal.removeEventListener('abort', abort);
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const stop = (error: unknown): void => {
      leave();
      // One that never started has nothing to wait for.
      if (awaitsEnd && child.pid !== undefined && !hasEnded(child)) {
        child.once('exit', () => reject(error));
      } else {
        reject(error);
      }
      endGroup(child);
    };
    const finish = (exitCode: number | null): void => {
      leave();
      resolve({ exitCode: exitCode ?? undefined, stderr: Buffer.concat(stderr).toString() });
    };
    const hand = (bytes: Buffer, take: (bytes: Buffer) => 'enough' | undefined): void => {
      try {
        if (take(bytes) === undefined) return;
        endGroup(child);
        finish(null);
      } catch (error) {
        stop(error);
      }
    };
    const details = says.stopped === undefined ? {} : { outcome: 'unknown' };
    const abort = (): void => {
      const { code, message } = abortReason(signal);
      const said = says.stopped === undefined ? message : `${message} ${says.stopped}`;
      stop(new VaultError(code, said, { details }));
    };
    const late = (): void => stop(new VaultError('timeout', says.late, { details }));
    const deadline = setTimeout(late, deadlineMs);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout?.on('data', (bytes: Buffer) => hand(bytes, onOutput));
    child.stderr?.on('data', (bytes: Buffer) => {
      // The rest is read all the same: a full pipe would hold the program up.
      if (stderrBytes < limits.programErrorBytesMax) stderr.push(bytes);
      stderrBytes += bytes.length;
      if (onErrorOutput !== undefined) hand(bytes, onErrorOutput);
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

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
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
