import type { Logger, LogLevel } from '../../base/logger.ts';
import { faultOrigin } from '../../base/logger.ts';
import { globProblem } from '../../engine/ports/view.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { openStderrLogger } from '../../node/system/stderr-logger.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';

/**
 * The log of a server, on stderr. From now on the server handles failing output streams itself: a log
 * that nobody reads does not end it.
 */
export function openServerLog(shell: Shell, level: LogLevel): Logger {
  shell.ownStreams?.();
  shell.stderr.on('error', () => undefined);
  return openStderrLogger({ stream: shell.stderr, level, nowMs: Date.now });
}

/** Logs the globs of `--hide` that do not do what they seem to say. */
export function warnOfGlobs({ hide }: Pick<ServerOptions, 'hide'>, logger: Logger): void {
  for (const glob of hide) {
    const problem = globProblem(glob);
    if (problem !== undefined) logger.log('warn', 'setting', { problem: `--hide ${problem}.` });
  }
}

/**
 * Runs a server with its log. An error that nobody caught is logged by the place it came from, without
 * its message, and ends the process with `crashCode`.
 */
export async function runWithLog<Result>(
  shell: Shell,
  { level, crashCode }: { readonly level: LogLevel; readonly crashCode: number },
  work: (logger: Logger) => Promise<Result>,
): Promise<Result> {
  const logger = openServerLog(shell, level);
  const crashed = (error: unknown): void => {
    logger.log('error', 'crash', faultOrigin(error));
    process.exit(crashCode);
  };
  process.on('uncaughtException', crashed);
  try {
    return await work(logger);
  } finally {
    process.off('uncaughtException', crashed);
  }
}

/** Resolves when the process is told to end. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Closes vaults, and ends the process after `waitMs` if a disk that hangs keeps one from closing: the
 * next start recovers what was open.
 */
export async function closeInTime(
  vaults: readonly { close(): Promise<void> }[],
  { waitMs, logger }: { readonly waitMs: number; readonly logger: Logger },
): Promise<void> {
  const cancel = nodeTimers.after(waitMs, () => {
    logger.log('warn', 'left without closing the vault');
    process.exit(0);
  });
  await Promise.all(vaults.map((vault) => vault.close()));
  cancel();
}
