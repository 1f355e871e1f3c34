import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { isChange, type PlannedFile } from '../install/apply-plan.ts';
import type { Machine } from '../install/client-places.ts';
import { commandText } from '../shell/command-text.ts';
import { printJson } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import { askYes } from './ask-question.ts';
import {
  type DecidedServer,
  decidedIn,
  originOf,
  readServerFiles,
  serverDiffs,
  showServerChanges,
} from './server-plan.ts';
import { type KeptSettings, withoutSettings } from './service-files.ts';
import type { SetupOptions } from './setup-options.ts';
import { userSystemd } from './systemd.ts';
import { writeTogether } from './write-together.ts';

/**
 * Stops the server that setup has made, removes its service and its settings, and revokes its token.
 * What others have added to the file with the settings stays. Answers the exit code.
 */
export async function undoServer(
  shell: Shell,
  { json, mode }: SetupOptions,
  { machine, isAsked }: { readonly machine: Machine; readonly isAsked: boolean },
): Promise<number> {
  const { stdout } = shell;
  const { unit, env, kept } = await readServerFiles(machine);
  const rest = withoutSettings(env.text ?? '');
  const files: readonly PlannedFile[] = [
    ...(unit.text === undefined ? [] : [removed({ file: unit })]),
    ...(kept === undefined
      ? []
      : [
          rest.trim() === ''
            ? removed({ file: env })
            : { file: env, plan: { text: rest, entries: [] } },
        ]),
  ].filter(isChange);
  if (files.length === 0) {
    if (json) return printJson(shell, { written: false, diffs: [] });
    stdout.write('Setup has made no server here, so there is nothing to take back.\n');
    return 0;
  }
  const systemd = unit.text === undefined ? undefined : await userSystemd(shell);
  if (!json) {
    showServerChanges(shell, files);
    const token = kept?.token === undefined ? '' : ` It revokes the token "${kept.token}".`;
    const stops = systemd === undefined ? '' : 'stops the server and ';
    stdout.write(`\nThis ${stops}removes these files or lines.${token}\n`);
  }
  const isWritten =
    mode !== 'dry-run' && (mode === 'write' || (isAsked && (await askYes(shell, 'Do this?'))));
  if (isWritten) {
    if (systemd !== undefined) await systemd.stop();
    // The file with the settings has its name, so the file goes last.
    await revokeKept(shell, kept);
    await writeTogether(files);
    if (systemd !== undefined) await systemd.reload();
    // It was made for this file, and stays when anything else is in it.
    await rmdir(dirname(env.path)).catch(() => undefined);
  }
  const answersAt = isWritten ? await answeringAt(decidedIn(kept)) : undefined;
  if (json) {
    return printJson(shell, {
      written: isWritten,
      diffs: serverDiffs(files),
      ...(answersAt === undefined ? {} : { answersAt }),
    });
  }
  const words = ['setup', '--server', '--undo', '--yes'];
  stdout.write(
    lines(
      isWritten
        ? [
            systemd === undefined
              ? 'The service is removed.'
              : 'The server is stopped, and the service is removed.',
            ...(answersAt === undefined
              ? []
              : [
                  `A server still answers at ${answersAt}. If you have started it by hand, end it there with Ctrl-C.`,
                ]),
            'The owner and the apps that have signed in are kept for a later server; "vaultdoor owner reset --revoke" forgets them.',
          ]
        : [
            'Nothing was written.',
            ...(isAsked ? [] : ['This does it:', '', `  ${plain(commandText(words, undefined))}`]),
          ],
    ),
  );
  return 0;
}

/** Revokes the token that setup has made, unless it is revoked already or its vault is gone. */
export async function revokeKept(
  { env }: Pick<Shell, 'env'>,
  kept: KeptSettings | undefined,
): Promise<void> {
  const { vaultPath: path } = decidedIn(kept);
  if (kept?.token === undefined || path === undefined) return;
  try {
    await openVaultTokens([{ name: path, path }], env).revoke(kept.token);
  } catch (error) {
    const { code, message } = toVaultError(error);
    if (code === 'not_found' || code === 'vault_not_found') return;
    throw new VaultError(code, `The token "${kept.token}" cannot be revoked: ${message}`);
  }
}

/** The address at which something still answers, such as a server that was started by hand. */
async function answeringAt({ address, port }: Partial<DecidedServer>): Promise<string | undefined> {
  if (address === undefined || port === undefined) return undefined;
  const origin = originOf({ address, port });
  const signal = AbortSignal.timeout(limits.doctorProgramMs);
  const answer = await fetch(`${origin}/health`, { signal }).catch(() => undefined);
  return answer === undefined ? undefined : origin;
}

function removed({ file }: Pick<PlannedFile, 'file'>): PlannedFile {
  return { file, plan: { text: '', entries: [], removesFile: true } };
}
