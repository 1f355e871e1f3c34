import { resolve } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import { VaultError } from '../../base/vault-error.ts';
import { readNotifyTarget } from '../../node/owner/notify-target.ts';
import { openOwnerNotice, type ServerNotice } from '../../node/owner/owner-notice.ts';
import { sendToProgram, sendToUrl } from '../../node/owner/send-notice.ts';
import { findProgram, isProgram } from '../../node/programs/find-program.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';
import type { NotifyOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';

/**
 * What tells the owner that something waits, one for all vaults of a server; undefined when the
 * options name no way to. Fails with `not_found` when the program of `--notify-command` is missing.
 */
export function serverNotice(
  { env, currentFolder }: Pick<Shell, 'env' | 'currentFolder'>,
  { notify }: { readonly notify?: NotifyOptions },
  logger: Logger,
): ServerNotice | undefined {
  if (notify === undefined) return undefined;
  const { url, command } = notify;
  const target = url === undefined ? undefined : readNotifyTarget(url);
  const program = command === undefined ? undefined : programOf(command, { env, currentFolder });
  const ways = [
    ...(target === undefined ? [] : [{ name: '--notify', send: sendToUrl(target) }]),
    ...(program === undefined
      ? []
      : [{ name: '--notify-command', send: sendToProgram(program, env) }]),
  ];
  const { platform } = process;
  return openOwnerNotice({ ways, clock: nodeClock, timers: nodeTimers, logger, platform });
}

/** The file of a program that is given by its path, or by its name on PATH. */
function programOf(
  command: string,
  { env, currentFolder }: Pick<Shell, 'env' | 'currentFolder'>,
): string {
  const { platform } = process;
  const names = platform === 'win32' ? [command, `${command}.exe`] : [command];
  const isPath = /[\\/]/.test(command);
  const file = isPath
    ? names.map((name) => resolve(currentFolder, name)).find(isProgram)
    : findProgram(names, { env, platform });
  if (file !== undefined) return file;
  throw new VaultError(
    'not_found',
    `--notify-command: there is no program "${command}"; it takes one program, without arguments.`,
  );
}
