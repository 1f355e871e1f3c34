import type { ChildProcess } from 'node:child_process';
import { limits } from '../../base/limits.ts';
import { abortReason, VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import { guardCommand } from './guard-program.ts';

/** The options of every run. */
interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that it runs in; the current one when absent. */
  readonly cwd?: string;
  /** What its stdin has; nothing when absent. Not for a program that `diesWithUs`. */
  readonly input?: string;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /**
   * When the program is ended early, the run fails only after it has exited: for programs that must
   * not run at the same time as what comes next.
   */
  readonly awaitsEnd?: true;
  /**
   * For programs that write: when our own process is killed, the program is killed too. `beforeStart`
   * is called with the id of its process group before it runs.
   */
  readonly diesWithUs?: { readonly beforeStart?: (group: number) => void };
}

interface RunProgramOptions extends ProgramOptions {
  readonly outputBytesMax: number;
  /**
   * `late` and `tooMuch` are the messages when its time, or that of the call, is over and when it
   * prints too much. `stopped` is a sentence that is added to the message when the call is cancelled.
   */
  readonly says: { readonly late: string; readonly tooMuch: string; readonly stopped: string };
}

interface StreamProgramOptions extends ProgramOptions {
  /**
   * Called with what it prints, as it comes. Returning `'enough'` ends the program. Throwing ends it
   * too, and the run fails with that error.
   */
  readonly onOutput: (bytes: Buffer) => 'enough' | undefined;
  /** The same for stderr. The result has the beginning of stderr in any case. */
  readonly onErrorOutput?: (bytes: Buffer) => 'enough' | undefined;
  /**
   * As in `RunProgramOptions`. Without `stopped`, the program counts as one that changes nothing, and
   * the error has no `details.outcome`.
   */
  readonly says: { readonly late: string; readonly stopped?: string };
}

/** How a program ended. */
export interface ProgramEnd {
  /** Undefined when a signal ended it, which may have been ours. */
  readonly exitCode: number | undefined;
  /** The beginning of what it printed there. For recognising failures, never for a log. */
  readonly stderr: string;
}

/** How a program ended, and what it printed. */
export interface ProgramResult extends ProgramEnd {
  readonly stdout: Uint8Array;
}

/**
 * Runs a program without a shell and resolves when it has ended, whatever its exit code. The program
 * and everything it has started are ended when its time is over (`timeout`), when it prints too much
 * (`too_large`), and when the call is cancelled. After a timeout or a cancellation, what it has done
 * by then is not known: `details.outcome` is `unknown`. Fails with the system's error when it cannot
 * be started.
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
 * Runs a program as `runProgram` does, but passes on what it prints while it runs, so that it can be
 * ended early.
 */
export async function streamProgram(
  file: string,
  args: readonly string[],
  options: StreamProgramOptions,
): Promise<ProgramEnd> {
  const { env, cwd, input, signal, deadlineMs, awaitsEnd, diesWithUs, says } = options;
  const { onOutput, onErrorOutput } = options;
  const command =
    diesWithUs === undefined
      ? { file, args }
      : guardCommand(file, args, { leads: process.platform !== 'win32' });
  // Loaded here: most commands that end at once run no program.
  const { spawn } = await import('node:child_process');
  if (signal.aborted) throw abortReason(signal);
  return new Promise((resolve, reject) => {
    // When no file descriptor is left, the child has no streams and emits an error later.
    const child: ChildProcess = spawn(command.file, command.args, {
      env,
      cwd,
      stdio: [diesWithUs === undefined && input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A process group of its own, so that its children can be ended with it. For Windows: endTree.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const stderr: Buffer[] = [];
    let stderrBytes = 0;
    let drain: NodeJS.Timeout | undefined;
    const cleanUp = (): void => {
      clearTimeout(deadline);
      clearTimeout(drain);
      signal.removeEventListener('abort', abort);
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const stop = (error: unknown): void => {
      cleanUp();
      // A program that never started emits no exit.
      if (awaitsEnd && child.pid !== undefined && !hasEnded(child)) {
        child.once('exit', () => reject(error));
      } else {
        reject(error);
      }
      endGroup(child);
    };
    const finish = (exitCode: number | null): void => {
      cleanUp();
      resolve({ exitCode: exitCode ?? undefined, stderr: Buffer.concat(stderr).toString() });
    };
    const deliver = (bytes: Buffer, take: (bytes: Buffer) => 'enough' | undefined): void => {
      try {
        if (take(bytes) === undefined) return;
        endGroup(child);
        finish(null);
      } catch (error) {
        stop(error);
      }
    };
    const details = says.stopped === undefined ? {} : { outcome: 'unknown' };
    const endMessage = (code: VaultErrorCode, message: string): string => {
      if (says.stopped === undefined) return message;
      // That the call took too long ("ask for less") would not help: only the program knows more.
      return code === 'timeout' ? says.late : `${message} ${says.stopped}`;
    };
    const abort = (): void => {
      const { code, message } = abortReason(signal);
      stop(new VaultError(code, endMessage(code, message), { details }));
    };
    const onDeadline = (): void => stop(new VaultError('timeout', says.late, { details }));
    const deadline = setTimeout(onDeadline, deadlineMs);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout?.on('data', (bytes: Buffer) => deliver(bytes, onOutput));
    child.stderr?.on('data', (bytes: Buffer) => {
      // The rest is read and dropped: a full pipe would block the program.
      const kept = bytes.subarray(0, limits.programErrorBytesMax - stderrBytes);
      if (kept.length > 0) stderr.push(kept);
      stderrBytes += kept.length;
      if (onErrorOutput !== undefined) deliver(bytes, onErrorOutput);
    });
    child.on('error', (error) => {
      cleanUp();
      reject(error);
    });
    child.stdin?.on('error', () => undefined); // It has ended already, which `exit` tells.
    if (input !== undefined) child.stdin?.end(input);
    if (diesWithUs !== undefined && child.pid !== undefined) {
      try {
        diesWithUs.beforeStart?.(child.pid);
        child.stdin?.write('\n');
      } catch (error) {
        stop(error);
      }
    }
    // A grandchild may hold the pipes open for ever, so `close` may never come. What arrives within
    // `programDrainMs` after the exit is taken as the whole output.
    child.on('exit', (exitCode) => {
      clearTimeout(deadline);
      // If someone has killed the guard, its program must not go on alone.
      if (exitCode === null && diesWithUs !== undefined) killGroup(child);
      drain = setTimeout(() => finish(exitCode), limits.programDrainMs);
    });
    child.on('close', finish);
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Asks a program and its children to end, and kills them after `limits.programKillMs`. */
function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    void endTree(child, pid);
  } else {
    signalGroup(pid, 'SIGTERM');
    setTimeout(() => signalGroup(pid, 'SIGKILL'), limits.programKillMs);
  }
}

/** Kills what is left of a program and its children. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined && process.platform !== 'win32') signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All processes of the group have ended.
  }
}

/** Windows has no process groups; `taskkill /T` ends a process and its descendants. */
async function endTree(child: ChildProcess, pid: number): Promise<void> {
  const { spawn } = await import('node:child_process');
  const taskkill = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
  const killer = spawn(taskkill, ['/pid', String(pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  // Where taskkill is missing or fails (that of Wine 8 knows no /T), at least the program ends.
  killer.on('error', () => child.kill());
  killer.on('exit', (code) => code !== 0 && child.kill());
}
