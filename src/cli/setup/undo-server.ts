import { existsSync } from 'node:fs';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { shellWord } from '../../base/shell-word.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
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
import { type KeptSettings, serviceName, withoutSettings } from './service-files.ts';
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
  const isDry = mode === 'dry-run' || (mode === undefined && !isAsked);
  if (!json) {
    const does = [
      ...(systemd === undefined ? [] : ['stops the service']),
      ...files.map(({ file, plan }) =>
        plan.removesFile ? `removes ${file.path}` : `takes its lines out of ${file.path}`,
      ),
      ...(kept?.token === undefined ? [] : [`revokes the token "${kept.token}"`]),
    ];
    stdout.write(lines(['', 'What setup does now:', ...does.map((each) => `- ${plain(each)}`)]));
    if (isDry) showServerChanges(shell, files);
  }
  const isWritten =
    !isDry &&
    (!isAsked ||
      mode === 'write' ||
      (await askYes(shell, 'Do this? (s shows the text that goes)', () =>
        showServerChanges(shell, files),
      )));
  if (isWritten) {
    if (systemd !== undefined) await systemd.stop();
    // The file with the settings has its name, so the file goes last.
    await revokeKept(shell, kept);
    await writeTogether(files);
    await removeLink(unit.path);
    if (systemd !== undefined) await systemd.reload();
    await removeEmpty([dirname(env.path), dirname(unit.path), dirname(dirname(unit.path))]);
  }
  const answersAt = isWritten ? await answeringAt(decidedIn(kept)) : undefined;
  const leftFiles = isWritten ? await filesLeft([env.path, unit.path]) : [];
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
              : 'The service is stopped and removed.',
            ...(answersAt === undefined
              ? []
              : [
                  `A server still answers at ${answersAt}. If you have started it by hand, end it there with Ctrl-C.`,
                ]),
            '',
            'This is left, each with what takes it back:',
            ...leftText(shell, decidedIn(kept), leftFiles).map((each) => `- ${plain(each)}`),
          ]
        : [
            'Nothing was written.',
            ...(isAsked ? [] : ['This does it:', '', `  ${plain(commandText(words, undefined))}`]),
          ],
    ),
  );
  return 0;
}

/**
 * Removes the link with which the service was enabled. `systemctl` removes it as well, but not where no
 * systemd of the user runs, and the link would lead nowhere.
 */
async function removeLink(unit: string): Promise<void> {
  const folder = join(dirname(unit), 'default.target.wants');
  const link = join(folder, serviceName);
  const found = await lstat(link).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return;
  await unlink(link);
  await rmdir(folder).catch(() => undefined); // It stays when another service is in it.
}

/** Removes folders that were made for our files. A folder with anything else in it stays. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

/** The files that are left of those that setup has written, and the copies that it has kept of them. */
async function filesLeft(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const names = await readdir(dirname(path)).catch(() => []);
      const own = names.filter(
        (name) => name === basename(path) || name.startsWith(`${basename(path)}.vaultdoor-backup`),
      );
      return own.sort().map((name) => join(dirname(path), name));
    }),
  );
  return found.flat();
}

/** What undo does not take back: it was made by other commands, or is needed by a later server. */
function leftText(
  { env }: Pick<Shell, 'env'>,
  { address }: Partial<DecidedServer>,
  files: readonly string[],
): readonly string[] {
  const shown = (path: string): string => shellWord(path, process.platform);
  const { state, cache } = appFolders(env, process.platform);
  const isLingering = existsSync(`/var/lib/systemd/linger/${userInfo().username}`);
  return [
    ...(address?.publicUrl === undefined ? [] : [wayHere(address.publicUrl)]),
    ...(isLingering
      ? [
          'services of your user run while you are not signed in: sudo loginctl disable-linger "$USER"',
        ]
      : []),
    ...(files.length === 0
      ? []
      : [
          `what you have added to the settings, and the copies of the files from before setup changed them: rm ${files.map(shown).join(' ')}`,
        ]),
    'the owner and the apps that have signed in: vaultdoor owner reset --revoke',
    `the history, with which you can still undo changes, and the index: rm -r ${shown(state)} ${shown(cache)}`,
    'the command "vaultdoor", if you have run npm link: npm rm -g vaultdoor',
  ];
}

/** How to end the way from the internet to this machine. */
function wayHere(publicUrl: string): string {
  const { hostname, port } = new URL(publicUrl);
  if (hostname.endsWith('.ts.net')) {
    return `Tailscale still leads ${publicUrl} here: sudo tailscale funnel --https=${port || 443} off`;
  }
  return `the proxy or tunnel that leads ${publicUrl} here; with Caddy, delete its block in /etc/caddy/Caddyfile, then: sudo systemctl reload caddy`;
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
