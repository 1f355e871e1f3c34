import { basename } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { isChange, leftTexts, type PlannedFile, planDiff } from '../install/apply-plan.ts';
import { readBackups } from '../install/backups.ts';
import { clientIds, clients, type Machine } from '../install/client-places.ts';
import type { ConfigFile } from '../install/config-file.ts';
import { optionsIn } from '../install/join-flags.ts';
import { othersFor, type PlannedEntry, typedWords } from '../install/plan-install.ts';
import { type EntryValues, planUninstall } from '../install/plan-uninstall.ts';
import { serverOf } from '../install/server-entry.ts';
import { forgetTakenOut, readTakenOut, takenOutFile } from '../install/taken-out.ts';
import { isSameVault } from '../install/this-machine.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { commandText } from '../shell/command-text.ts';
import { exitCodes } from '../shell/exit-codes.ts';
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
import { waitingText } from './waiting-text.ts';
import { writeTogether } from './write-together.ts';

/**
 * Takes our entries out of the clients' files, puts back what setup has taken out, and removes files
 * that setup has made. Everything else in the files stays. Answers the exit code, which is that of a
 * failure when the file of a client cannot be read.
 */
export async function undoClients(
  shell: Shell,
  options: SetupOptions,
  { machine, isAsked }: { readonly machine: Machine; readonly isAsked: boolean },
): Promise<number> {
  const { stdout } = shell;
  const { clients: given, vault, json, mode } = options;
  const found = (await findClients(machine)).filter(
    ({ id }) => given.length === 0 || given.includes(id),
  );
  const faults = found.flatMap(({ client, fault }) =>
    fault === undefined ? [] : [`${fault} ${client.title} may still have Vaultdoor.`],
  );
  const [fault] = faults;
  if (fault !== undefined && given.length > 0) throw new VaultError('invalid_input', fault);
  const vaults = vault === undefined ? [] : [chooseVault(vault, shell).path];
  const changed: ClientFile[] = [];
  for (const client of found) changed.push(...(await plansFor(client, vaults)));
  const local = localTexts(found, vaults);
  const left = [...local, ...faults];
  const again = againTexts(changed);
  const code = faults.length === 0 ? 0 : exitCodes.invalid_input;
  const titles = [...new Set(changed.map(({ client }) => client.title))];
  const report = (isWritten: boolean): number => {
    printJson(shell, {
      written: isWritten,
      files: changed.map((file) => ({
        file: file.file.path,
        entries: file.plan.entries,
        removed: file.plan.removesFile === true,
        diff: planDiff(file, file.client),
      })),
      ...(again.length === 0 ? {} : { again: again.map(({ command }) => command) }),
      ...(left.length === 0 ? {} : { warnings: left }),
    });
    return code;
  };
  const sayLeft = (): void => void stdout.write(lines(left.map((each) => `! ${plain(each)}`)));
  if (changed.length === 0) {
    if (json) return report(false);
    const files = await readServerFiles(machine).catch(() => undefined);
    const server = commandText(['setup', '--server', '--undo'], undefined);
    stdout.write(
      lines([
        nothingText({ isUnread: faults.length > 0, isLocal: local.length > 0 }),
        ...(files?.kept === undefined ? [] : [`To take the server back: ${server}`]),
      ]),
    );
    sayLeft();
    return code;
  }
  if (!json) {
    const paint = paintFor(stdout, shell.env);
    for (const planned of changed) {
      const { file, client, plan } = planned;
      const does = plan.removesFile
        ? `Removes ${plain(file.path)}, which setup has made for ${client.title}.`
        : `${doesText(planned)} the settings of ${client.title}, in ${plain(file.path)}. The other entries stay.`;
      stdout.write(`\n${does}\n${changeText(planned, client, paint)}`);
    }
  }
  const isWritten =
    mode !== 'dry-run' && (mode === 'write' || (isAsked && (await askYes(shell, 'Do this?'))));
  const written = isWritten ? await writeTogether(changed) : [];
  const missing: string[] = [];
  // Only now: had one file failed, all of them would have got their old text back.
  for (const { planned } of written) missing.push(...(await notBack(planned, changed)));
  if (json) return report(isWritten);
  const used = new Set(changed.flatMap(({ plan }) => plan.entries.flatMap(vaultOf)));
  const waiting: string[] = [];
  for (const path of isWritten ? used : []) {
    waiting.push(...(await waitingText(shell, { name: basename(path), path })));
  }
  const { state, cache } = appFolders(shell.env, process.platform);
  const words = ['setup', '--undo', '--yes', ...given.flatMap((id) => ['--client', id])];
  stdout.write(
    lines(
      isWritten
        ? [
            `Vaultdoor is taken out of ${listed(titles)}. Restart ${titles.length === 1 ? 'it' : 'them'} for this to take effect.`,
            ...changed.flatMap(backText),
            'Your notes stay as they are, and so does the history, with which you can still undo changes.',
            ...missing,
            ...leftTexts(written.flatMap(({ left = [] }) => left)),
            `To delete the history and the index as well, delete ${plain(state)} and ${plain(cache)}.`,
            ...waiting,
            ...again.flatMap(({ says, command }) => ['', plain(says), '', `  ${plain(command)}`]),
          ]
        : [
            'Nothing was written.',
            ...(isAsked ? [] : ['This does it:', '', `  ${commandText(words, vault)}`]),
          ],
    ),
  );
  sayLeft();
  return code;
}

/** Why nothing is taken back. */
function nothingText({ isUnread, isLocal }: { isUnread: boolean; isLocal: boolean }): string {
  if (isUnread) return 'Nothing was taken back.';
  return isLocal
    ? 'Setup has nothing to take back here.'
    : 'No app here uses Vaultdoor, so there is nothing to take back.';
}

/** What is done to a file that stays, up to its name. */
function doesText({ plan }: ClientFile): string {
  return plan.entries.some(({ did }) => did === 'removed')
    ? 'Takes Vaultdoor out of'
    : 'Puts back what setup had taken out of';
}

/** The vault of an entry that is taken out. */
function vaultOf({ did, vault }: PlannedEntry): readonly string[] {
  return did === 'removed' && vault !== undefined ? [vault] : [];
}

/**
 * The options of the entries that are taken out, and the command that sets them up again with these:
 * setup alone would not, and what was hidden from an app would be visible to it.
 */
function againTexts(
  changed: readonly ClientFile[],
): readonly { readonly says: string; readonly command: string }[] {
  const found = changed.flatMap(({ client, plan }) =>
    plan.entries.flatMap(({ did, vault, gone = [] }) => {
      const id = clientIds.find((each) => clients[each] === client);
      if (did !== 'removed' || vault === undefined || id === undefined || gone.length === 0) {
        return [];
      }
      const flags = optionsIn(gone).flatMap(withoutSecret);
      const words = ['install', id, '--vault', vault, '--', ...flags];
      const says = `${client.title} had options for "${vault}" that setup does not set again: ${typedWords(flags)}. To connect it again with them, type this in place of setup; for another vault, with its folder after --vault:`;
      return [{ says, command: commandText(words, undefined) }];
    }),
  );
  return found.filter(
    ({ command }, at) => at === found.findIndex((one) => one.command === command),
  );
}

/** The words of an option; "…" in place of an address, which may have a key or a password in it. */
function withoutSecret({ name, words }: ReturnType<typeof optionsIn>[number]): readonly string[] {
  return ['notify', 'sync-remote'].includes(name) ? [`--${name}`, '…'] : words;
}

/** Says which servers of others are back that setup had taken out. */
function backText({ client, plan }: ClientFile): readonly string[] {
  const back = plan.entries.filter(({ did }) => did === 'put back').map(({ name }) => name);
  if (back.length === 0) return [];
  const names = listed(back.map((name) => otherName(plan.text, name, client)));
  return [plain(`${names} ${back.length === 1 ? 'is' : 'are'} back in ${client.title}.`)];
}

/** Forgets what is back, and says of the entries that are not where they are kept. */
async function notBack(planned: PlannedFile, changed: readonly ClientFile[]): Promise<string[]> {
  const found = changed.find(({ file }) => file === planned.file);
  if (found === undefined) return [];
  const { client, file } = found;
  const names = await forgetTakenOut(file, client.section);
  if (names.length === 0) return [];
  const quoted = listed(names.map((name) => `"${name}"`));
  const [is, it] = names.length === 1 ? ['is', 'it'] : ['are', 'they'];
  return [
    plain(
      `${quoted}, which setup had taken out of ${client.title}, ${is} not put back: the file has another entry of that name, or ${it} ${is} for another vault. Kept in ${takenOutFile(file)}`,
    ),
  ];
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
        takenOut: await takenOutFor(file, client.section, vaults),
      },
    );
    if (isChange({ file, plan })) planned.push({ client, file, plan });
  }
  return planned;
}

/** What setup has taken out of a file; with vaults, only servers that work on one of them. */
async function takenOutFor(
  file: ConfigFile,
  section: string,
  vaults: readonly string[],
): Promise<EntryValues> {
  const all = await readTakenOut(file, section);
  if (vaults.length === 0) return all;
  const servers = all.map(([name, value]) => serverOf(name, value));
  const meant = othersFor(servers, { vaults: vaults.map((path) => ({ path })), isSameVault });
  return all.filter(([name]) => meant.some((server) => server.name === name));
}
