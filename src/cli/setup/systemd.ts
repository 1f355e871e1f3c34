import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { findProgram } from '../../node/programs/find-program.ts';
import { type ProgramResult, runProgram } from '../../node/programs/run-program.ts';
import { lastFailure } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import { serviceName } from './service-files.ts';

/** The user's systemd, with what setup needs of it. */
export interface Systemd {
  /** Starts the service now and at each sign-in, or again with what its files say now. */
  readonly start: () => Promise<void>;
  /** Stops the service, and does not start it again. */
  readonly stop: () => Promise<void>;
  /** Reads the files of services again, after one was removed. */
  readonly reload: () => Promise<void>;
  readonly isActive: () => Promise<boolean>;
  /** The last failure that the service has logged; undefined when the log cannot be read. */
  readonly lastFailure: () => Promise<string | undefined>;
}

/** The systemd of this user; undefined where none runs, as in most containers, and on other platforms. */
export async function userSystemd(
  shell: Pick<Shell, 'env' | 'signal'>,
): Promise<Systemd | undefined> {
  const { env, signal } = shell;
  const place = { platform: process.platform, env };
  if (process.platform !== 'linux') return undefined;
  const systemctl = findProgram(['systemctl'], place);
  if (systemctl === undefined) return undefined;
  const run = (
    program: string,
    args: readonly string[],
    until: AbortSignal = signal,
  ): Promise<ProgramResult> =>
    runProgram(program, ['--user', ...args], {
      env,
      signal: until,
      deadlineMs: limits.systemctlMs,
      outputBytesMax: limits.systemctlBytesMax,
      says: {
        late: 'systemd did not answer in time.',
        tooMuch: 'systemd printed too much.',
        stopped: 'Look at it with "systemctl --user status vaultdoor".',
      },
    });
  // Ctrl-C does not interrupt these: whether the service runs would not be known.
  const never = new AbortController().signal;
  const must = async (...args: readonly string[]): Promise<void> => {
    const { exitCode, stderr } = await run(systemctl, args, never);
    if (exitCode === 0) return;
    const reason = stderr.trim().split('\n').at(-1) || `exit code ${exitCode}`;
    throw new VaultError('unavailable', `"systemctl --user ${args[0]}" failed: ${reason}`);
  };
  const answers = await run(systemctl, ['show-environment']).catch(() => undefined);
  if (answers?.exitCode !== 0) return undefined;
  return {
    start: async () => {
      await must('daemon-reload');
      await must('enable', serviceName);
      await must('restart', serviceName);
    },
    stop: () => must('disable', '--now', serviceName),
    reload: () => must('daemon-reload'),
    isActive: async () => (await run(systemctl, ['is-active', serviceName])).exitCode === 0,
    lastFailure: async () => {
      const journalctl = findProgram(['journalctl'], place);
      if (journalctl === undefined) return undefined;
      const words = ['-u', serviceName, '-n', '50', '-o', 'cat', '--no-pager'];
      const log = await run(journalctl, words).catch(() => undefined);
      return lastFailure(Buffer.from(log?.stdout ?? []).toString());
    },
  };
}
