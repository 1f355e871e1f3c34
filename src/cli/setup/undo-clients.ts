import { VaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { diffText } from '../../tools/cli/change-text.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { isChange, planDiff } from '../install/apply-plan.ts';
import type { Machine } from '../install/client-places.ts';
import { readBackups } from '../install/config-file.ts';
import { planUninstall } from '../install/plan-uninstall.ts';
import { isSameVault } from '../install/this-machine.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { commandText } from '../shell/command-text.ts';
import { printJson } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { askYes } from './ask-question.ts';
import type { ClientFile } from './call-as-clients.ts';
import { type FoundClient, findClients } from './found-clients.ts';
import type { SetupOptions } from './setup-options.ts';
import { listed } from './setup-words.ts';
import { writeTogether } from './write-together.ts';

/**
 * Takes our entries out of the clients' files, and removes files that setup has made. Everything else
 * in the files stays. Answers the exit code.
 */
export async function undoClients(
  shell: Shell,
  options: SetupOptions,
  { machine, isAsked }: { readonly machine: Machine; readonly isAsked: boolean },
): Promise<number> {
  const { stdout, stderr } = shell;
  const { clients: given, vault, json, mode } = options;
  const found = (await findClients(machine)).filter(
    ({ id }) => given.length === 0 || given.includes(id),
  );
  const faults = found.flatMap(({ fault }) => fault ?? []);
  const [fault] = faults;
  if (fault !== undefined && given.length > 0) throw new VaultError('invalid_input', fault);
  if (!json) stderr.write(lines(faults.map((each) => `! ${plain(each)}`)));
  const vaults = vault === undefined ? [] : [chooseVault(vault, shell).path];
  const changed: ClientFile[] = [];
  for (const client of found) changed.push(...(await plansFor(client, vaults)));
  const titles = [...new Set(changed.map(({ client }) => client.title))];
  const report = (isWritten: boolean): number =>
    printJson(shell, {
      written: isWritten,
      files: changed.map((file) => ({
        file: file.file.path,
        entries: file.plan.entries,
        removed: file.plan.removesFile === true,
        diff: planDiff(file, file.client),
      })),
    });
  if (changed.length === 0) {
    if (json) return report(false);
    stdout.write('No app here uses Vaultdoor, so there is nothing to take back.\n');
    return 0;
  }
  if (!json) {
    const paint = paintFor(stdout, shell.env);
    for (const file of changed) {
      const is = file.plan.removesFile
        ? 'the file is removed'
        : 'the lines with - go, those with + come back';
      stdout.write(`\n${paint.strong(`The change for ${file.client.title}`)} (${is}):\n`);
      stdout.write(diffText(planDiff(file, file.client), paint));
    }
  }
  const isWritten =
    mode !== 'dry-run' && (mode === 'write' || (isAsked && (await askYes(shell, 'Do this?'))));
  if (isWritten) await writeTogether(changed);
  if (json) return report(isWritten);
  const { state, cache } = appFolders(shell.env, process.platform);
  const words = ['setup', '--undo', '--yes', ...given.flatMap((id) => ['--client', id])];
  stdout.write(
    lines(
      isWritten
        ? [
            `Vaultdoor is taken out of ${listed(titles)}. Restart ${titles.length === 1 ? 'it' : 'them'} for this to take effect.`,
            "Your notes stay as they are, and so does the history, with which you can still undo changes. The app's file as it was is beside it (.vaultdoor-backup).",
            `To delete the history and the index as well, delete ${plain(state)} and ${plain(cache)}.`,
          ]
        : [
            'Nothing was written.',
            ...(isAsked ? [] : ['This does it:', '', `  ${commandText(words, vault)}`]),
          ],
    ),
  );
  return 0;
}

async function plansFor(
  { client, files }: FoundClient,
  vaults: readonly string[],
): Promise<readonly ClientFile[]> {
  const planned: ClientFile[] = [];
  for (const file of files) {
    if (file.text === undefined) continue;
    const plan = planUninstall(
      { file: file.path, text: file.text },
      {
        section: client.section,
        vaults,
        isSameVault,
        backups: await readBackups(file),
        putsBack: true,
      },
    );
    if (isChange({ file, plan })) planned.push({ client, file, plan });
  }
  return planned;
}
