import { VaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { isChange, leftText, planDiff } from '../install/apply-plan.ts';
import type { Machine } from '../install/client-places.ts';
import { readBackups } from '../install/config-file.ts';
import { planUninstall } from '../install/plan-uninstall.ts';
import { readConfig } from '../install/read-config.ts';
import { isSameVault } from '../install/this-machine.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { commandText } from '../shell/command-text.ts';
import { printJson } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { askYes } from './ask-question.ts';
import type { ClientFile } from './call-as-clients.ts';
import { type FoundClient, findClients, localTexts } from './found-clients.ts';
import { readServerFiles } from './server-plan.ts';
import type { SetupOptions } from './setup-options.ts';
import { listed } from './setup-words.ts';
import { changeText, otherName } from './shown-change.ts';
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
  const left = localTexts(found, vaults);
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
      ...(left.length === 0 ? {} : { warnings: left }),
    });
  const sayLeft = (): void => void stdout.write(lines(left.map((each) => `! ${plain(each)}`)));
  if (changed.length === 0) {
    if (json) return report(false);
    const files = await readServerFiles(machine).catch(() => undefined);
    const server = commandText(['setup', '--server', '--undo'], undefined);
    stdout.write(
      lines([
        left.length > 0
          ? 'Setup has nothing to take back here.'
          : 'No app here uses Vaultdoor, so there is nothing to take back.',
        ...(files?.kept === undefined ? [] : [`To take the server back: ${server}`]),
      ]),
    );
    sayLeft();
    return 0;
  }
  if (!json) {
    const paint = paintFor(stdout, shell.env);
    for (const planned of changed) {
      const { file, client, plan } = planned;
      const does = plan.removesFile
        ? `Removes ${plain(file.path)}, which setup has made for ${client.title}.`
        : `Takes Vaultdoor out of the settings of ${client.title}, in ${plain(file.path)}. The other entries stay.`;
      stdout.write(`\n${does}\n${changeText(planned, client, paint)}`);
    }
  }
  const isWritten =
    mode !== 'dry-run' && (mode === 'write' || (isAsked && (await askYes(shell, 'Do this?'))));
  const written = isWritten ? await writeTogether(changed) : [];
  if (json) return report(isWritten);
  const { state, cache } = appFolders(shell.env, process.platform);
  const words = ['setup', '--undo', '--yes', ...given.flatMap((id) => ['--client', id])];
  stdout.write(
    lines(
      isWritten
        ? [
            `Vaultdoor is taken out of ${listed(titles)}. Restart ${titles.length === 1 ? 'it' : 'them'} for this to take effect.`,
            ...changed.flatMap(backText),
            'Your notes stay as they are, and so does the history, with which you can still undo changes.',
            leftText(written.flatMap(({ left = [] }) => left)),
            `To delete the history and the index as well, delete ${plain(state)} and ${plain(cache)}.`,
          ]
        : [
            'Nothing was written.',
            ...(isAsked ? [] : ['This does it:', '', `  ${commandText(words, vault)}`]),
          ],
    ),
  );
  sayLeft();
  return 0;
}

/** Says which servers of others are back that setup had taken out. */
function backText({ client, file, plan }: ClientFile): readonly string[] {
  const namesIn = (text: string | undefined): readonly string[] =>
    readConfig({ file: file.path, text }, client.section).servers.map(({ name }) => name);
  const before = namesIn(file.text);
  const back = namesIn(plan.text).filter((name) => !before.includes(name));
  if (back.length === 0) return [];
  const names = listed(back.map((name) => otherName(plan.text, name, client)));
  return [plain(`${names} ${back.length === 1 ? 'is' : 'are'} back in ${client.title}.`)];
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
