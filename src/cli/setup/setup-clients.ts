import { VaultError } from '../../base/vault-error.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { isChange, planDiff } from '../install/apply-plan.ts';
import type { Machine } from '../install/client-places.ts';
import {
  correctedTexts,
  entryFor,
  othersText,
  planInstall,
  staleTexts,
} from '../install/plan-install.ts';
import { pathWarnings, programPaths } from '../install/program-paths.ts';
import { isGone, isSameVault } from '../install/this-machine.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hint } from '../options/program-text.ts';
import { commandText } from '../shell/command-text.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { printJson } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import { askAt, paintFor } from '../shell/terminal.ts';
import { flagsWith, hiddenBy, usualAllowed } from './allowed.ts';
import { askYes } from './ask-question.ts';
import {
  type CalledClients,
  type ClientFile,
  callAsClients,
  canReadText,
} from './call-as-clients.ts';
import { decideClients } from './decide-clients.ts';
import { allTitles, chosenClients, findClients, localTexts } from './found-clients.ts';
import { type Decided, nextText } from './next-text.ts';
import { offerOthers, othersAhead } from './offer-others.ts';
import type { SetupOptions } from './setup-options.ts';
import { listed } from './setup-words.ts';
import { changeText } from './shown-change.ts';
import { waitingText } from './waiting-text.ts';
import {
  keptAsText,
  keptText,
  takeBack,
  type WrittenFile,
  writeTogether,
} from './write-together.ts';

/** Sets up the clients on this machine, and answers the exit code. */
export async function setUpClients(
  shell: Shell,
  options: SetupOptions,
  { machine, isAsked }: { readonly machine: Machine; readonly isAsked: boolean },
): Promise<number> {
  const { stdout, stderr } = shell;
  const say = (parts: readonly string[]): void => {
    if (!options.json) stdout.write(lines(parts));
  };
  const found = await findClients(machine);
  // An app that is asked for and is not here gets the same answer whether or not others are.
  if (options.clients.length > 0) chosenClients(found, options.clients, machine);
  if (found.length === 0) throw noClient(shell, options, machine);
  if (isAsked) {
    stderr.write(
      'This connects the AI apps on this computer with your notes. Nothing is written before you agree.\n',
    );
  }
  const decided = await decideClients(shell, options, { machine, isAsked, found });
  const { vault, clients, allow, isMoved } = decided;
  const looks = { isSameVault, isMoved, isGone };
  const paths = programPaths(shell);
  const files = clients.flatMap(({ client, files: all }) =>
    all.map((file): ClientFile => {
      const source = { file: file.path, text: file.text };
      const flagsFor = (existing: readonly string[]) => flagsWith(allow, existing);
      const request = { client, vaults: [vault], ...paths, flagsFor, ...looks };
      return { client, file, plan: planInstall(source, request) };
    }),
  );
  const changed = files.filter(isChange);
  const same = clients.filter(({ client }) => !changed.some((file) => file.client === client));
  say(same.map(({ client }) => `${client.title} already uses "${plain(vault.name)}".`));
  if (changed.length > 0) showChanges(shell, options, changed);
  const isOffered = isAsked && options.mode === undefined;
  const warnings = [
    ...pathWarnings(paths),
    ...localTexts(clients),
    ...clients.flatMap(({ empty }) =>
      empty.map(
        (text) =>
          `${text} To keep the settings that it has, put it in the place of the file first.`,
      ),
    ),
    ...clients.flatMap(({ id, client }) =>
      staleTexts(
        files.filter((file) => file.client === client).map(({ plan }) => plan),
        id,
        vault.path,
      ),
    ),
    ...(isOffered ? othersAhead(files) : othersText(files.map(({ plan }) => plan))),
  ];
  say(warnings.flatMap((warning) => ['', `! ${plain(warning)}`]));

  const isWritten =
    changed.length > 0 &&
    options.mode !== 'dry-run' &&
    (options.mode === 'write' || (isAsked && (await askYes(shell, `Write ${whatText(changed)}?`))));
  const written = isWritten ? await writeTogether(changed) : [];
  say(written.flatMap(writtenText));
  if (changed.length > 0 && !isWritten) {
    return dryRun(shell, options, { decided, changed, isAsked, warnings });
  }

  const called = await callAsClients(shell, files, { machine, vault, json: options.json });
  if (options.json) {
    return jsonAnswer(shell, { decided, written, files, called, warnings });
  }
  if (called.failure === undefined) {
    say([
      canReadText(called, decided),
      ...hiddenTexts(files),
      ...(await waitingText(shell, vault)),
    ]);
    const isTaken = isOffered && (await offerOthers(shell, files, allow));
    const { columns } = paintFor(stdout, shell.env);
    const isWritten = written.length > 0 || isTaken;
    say(['', ...nextText(decided, { isWritten, ...(columns === undefined ? {} : { columns }) })]);
    return 0;
  }
  say([`${called.failure}`]);
  await offerTakeBack(shell, written, { isAsked, vault });
  return exitCodes.unavailable;
}

function showChanges(shell: Shell, { json }: SetupOptions, changed: readonly ClientFile[]): void {
  if (json) return;
  const { stdout } = shell;
  const paint = paintFor(stdout, shell.env);
  for (const planned of changed) {
    const { file, client, plan } = planned;
    const isNew = plan.entries.some(({ did }) => did === 'added');
    const does = isNew ? 'Adds Vaultdoor to' : 'Changes what Vaultdoor has in';
    const where =
      file.text === undefined
        ? `the new file ${plain(file.path)}.`
        : `${plain(file.path)}. Nothing else in it changes.`;
    stdout.write(`\n${paint.strong(`${does} the settings of ${client.title}`)}, in ${where}\n`);
    for (const text of correctedTexts(plan)) stdout.write(`${plain(text)}\n`);
    stdout.write(changeText(planned, client, paint));
  }
}

/** Says what is hidden from the clients by the options of their entries. */
function hiddenTexts(files: readonly ClientFile[]): readonly string[] {
  const all = files.flatMap(({ client, plan }) =>
    plan.entries.flatMap(({ options = [] }) => {
      const typed = hiddenBy(options);
      return typed === undefined ? [] : [`What ${typed} names is hidden from ${client.title}.`];
    }),
  );
  return Array.from(new Set(all), plain);
}

function whatText(changed: readonly ClientFile[]): string {
  return changed.length === 1 ? 'this change' : `these ${changed.length} changes`;
}

function writtenText({ planned, backup }: WrittenFile): readonly string[] {
  return [`Written: ${plain(planned.file.path)}${keptAsText(backup)}`];
}

/** Says that nothing was written and, for a script, the command that writes it. */
function dryRun(
  shell: Shell,
  { json }: SetupOptions,
  {
    decided,
    changed,
    isAsked,
    warnings,
  }: {
    readonly decided: Decided;
    readonly changed: readonly ClientFile[];
    readonly isAsked: boolean;
    readonly warnings: readonly string[];
  },
): number {
  const command = commandOf(decided);
  if (json) {
    const fields = decidedFields(decided, changed);
    return printJson(shell, { written: false, ...fields, warnings, command });
  }
  const how = isAsked ? [] : ['This does it:', '', `  ${command}`];
  shell.stdout.write(lines(['Nothing was written.', ...how]));
  return 0;
}

/** The command that does the same without asking. */
function commandOf({ vault, clients, allow }: Decided): string {
  const words = clients.flatMap(({ id }) => ['--client', id]);
  return commandText(['setup', '--yes', ...words, '--allow', allow], vault.path);
}

function jsonAnswer(
  shell: Shell,
  {
    decided,
    written,
    files,
    called,
    warnings,
  }: {
    readonly decided: Decided;
    readonly written: readonly WrittenFile[];
    readonly files: readonly ClientFile[];
    readonly called: CalledClients;
    readonly warnings: readonly string[];
  },
): number {
  const backups = written.flatMap(({ backup }) => backup ?? []);
  printJson(shell, {
    written: written.length > 0,
    ...decidedFields(decided, files),
    backups,
    warnings,
    firstCall: called,
    next: decided.clients.map(({ client }) => client.next),
  });
  return called.failure === undefined ? 0 : exitCodes.unavailable;
}

function decidedFields({ vault, clients, allow }: Decided, files: readonly ClientFile[]): object {
  return {
    vault,
    clients: clients.map(({ id }) => id),
    allow,
    files: files.map((file) => ({
      file: file.file.path,
      entries: file.plan.entries,
      diff: isChange(file) ? planDiff(file, file.client) : '',
    })),
  };
}

/** After a first call that failed: offers a person to take the change back; tells a script how. */
async function offerTakeBack(
  shell: Shell,
  written: readonly WrittenFile[],
  { isAsked, vault }: { readonly isAsked: boolean; readonly vault: VaultChoice },
): Promise<void> {
  const doctor = commandText(['doctor'], vault.path);
  const say = (text: string): void => void shell.stdout.write(`${text}\n`);
  say(`To find out more: ${doctor}`);
  if (written.length === 0) return;
  const undo = `${hint('setup --undo')} takes the change back.`;
  if (!isAsked) return say(undo);
  const ask = askAt(shell.stdin, shell.stderr, shell.signal);
  if (!(await ask?.('\nTake the change back?'))) return say(`The change stays; ${undo}`);
  const kept = await takeBack(written);
  say(kept.length === 0 ? 'Every file is as it was.' : keptText(kept));
}

/** The failure when no client is on this machine: which are known, and what to paste into others. */
function noClient(shell: Shell, options: SetupOptions, machine: Machine): VaultError {
  const client = { title: '', section: 'mcpServers', saysType: false, next: '' } as const;
  const folder = options.vault ?? (machine.platform === 'win32' ? 'C:\\Notes' : '/path/to/Notes');
  const entry = entryFor(
    { name: '', path: folder },
    { client, ...programPaths(shell), flagsFor: () => flagsWith(options.allow ?? usualAllowed) },
  );
  const snippet = JSON.stringify({ mcpServers: { vaultdoor: entry } }, undefined, 2);
  if (!options.json) {
    shell.stderr.write(
      `No app was found here that Vaultdoor can set up. It knows ${listed(allTitles)}: start one of them once, and run this again.\n\nAny other app that speaks MCP can use Vaultdoor, too. Most of them take this, with the folder of your notes:\n\n${snippet}\n\n`,
    );
  }
  return new VaultError('not_found', 'No app was found, so nothing was written.', {
    details: { knows: allTitles, entry },
  });
}
