import { VaultError } from '../../base/vault-error.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import { refuseVaultsInside } from '../../node/place/vaults-inside.ts';
import { chooseVault, type VaultChoice } from '../options/choose-vault.ts';
import { readStdioOptions } from '../options/stdio-options.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { applyPlan, type PlannedFile } from './apply-plan.ts';
import { readBackups } from './backups.ts';
import { checkStdioFlags } from './check-stdio-flags.ts';
import {
  type ClientId,
  clientIds,
  clientPlaces,
  clients,
  type Machine,
  projectPlace,
} from './client-places.ts';
import { readConfigFile } from './config-file.ts';
import { type InstallOptions, readInstallOptions } from './install-options.ts';
import { joinFlags } from './join-flags.ts';
import { withBackup } from './latest-backup.ts';
import { clientsText, listClients } from './list-clients.ts';
import {
  entryFor,
  type InstallRequest,
  othersText,
  planInstall,
  staleTexts,
} from './plan-install.ts';
import { planUninstall } from './plan-uninstall.ts';
import { type ProgramPaths, pathWarnings, programPaths } from './program-paths.ts';
import { installedPlaces, isGone, isMoved, isSameVault, thisMachine } from './this-machine.ts';

const vaultOption = [
  '  --vault <folder>  The vault; may be repeated. Otherwise OBSIDIAN_VAULT_PATH or VAULT_PATH, the',
  '                    vault that the current folder is in, the only one that Obsidian or an app knows,',
  '                    or a choice of these.',
];
const commonOptions = [
  '  --project         Edit the file of the project in the current folder, not that of the user:',
  '                    .mcp.json, .cursor/mcp.json, .vscode/mcp.json.',
  '  --dry-run         Only show the change.',
  '  --json            The whole answer as JSON; asks nothing.',
];
const promise = [
  'At a terminal it shows the change and asks; otherwise it is a dry run unless --yes is given.',
  'Every other byte of the file stays. The file as it was before the first change is kept beside it',
  '(.vaultdoor-backup), and so is the one before the last change (.vaultdoor-backup-2). "uninstall"',
  'removes them when the file is as it was before. "vaultdoor undo" does not undo this.',
];

/** `vaultdoor install`: adds vaults to the configuration of an MCP client. */
export const installProgram: Program = {
  help: [
    'Usage: vaultdoor install <app> [options] [-- flags for "vaultdoor stdio"]',
    '',
    'Add the vault to the configuration of an AI app, one entry for each vault. If there is an entry',
    'for the vault already, it is updated: options behind "--" are added to those that it has, and those',
    'of the same name replaced (--hide and others that may be repeated are kept beside each other). The',
    'same holds for the entry that --name names, and for one whose vault seems to have moved here: it',
    'gets the new path and keeps its options.',
    `Apps: ${clientIds.join(', ')}. Without an app, lists their files.`,
    '',
    ...vaultOption,
    '  --name <entry>    The name of the entry (default: vaultdoor, or vaultdoor-<vault>).',
    '  --write, --yes    Write without asking, and create a file that does not exist.',
    '  --replace-options Take away the options that the entry has: only those behind "--" stay.',
    ...commonOptions,
    '',
    ...promise,
    '',
    'Examples:',
    '  vaultdoor install',
    '  vaultdoor install claude-desktop --vault ~/Notes',
    '  vaultdoor install cursor --vault ~/Notes -- --read-only --hide "Diary/**"',
    '  vaultdoor install cursor --vault ~/Notes --replace-options',
    '',
  ].join('\n'),
  run: async (shell, argv) => runWith(shell, readInstallOptions('install', argv), install),
};

/** `vaultdoor uninstall`: takes our entries out of the configuration of an MCP client. */
export const uninstallProgram: Program = {
  help: [
    'Usage: vaultdoor uninstall <app> [options]',
    '',
    'Remove the entries of Vaultdoor from the configuration of an AI app.',
    `Apps: ${clientIds.join(', ')}. Without an app, lists their files.`,
    '',
    '  --vault <folder>  Only the entries of this vault; may be repeated.',
    '  --name <entry>    Only this entry, even if Vaultdoor did not make it.',
    '  --write, --yes    Write without asking.',
    ...commonOptions,
    '',
    ...promise,
    '',
    'Examples:',
    '  vaultdoor uninstall claude-desktop',
    '  vaultdoor uninstall cursor --vault ~/Notes',
    '',
  ].join('\n'),
  run: async (shell, argv) => runWith(shell, readInstallOptions('uninstall', argv), uninstall),
};

/** Runs `install` or `uninstall` for the client that is named; without one, lists the clients. */
async function runWith(
  shell: Shell,
  options: InstallOptions,
  command: typeof install,
): Promise<number> {
  const machine = thisMachine(shell);
  const { client } = options;
  return client === undefined
    ? list(shell, machine, options)
    : command(shell, client, options, machine);
}

async function list(shell: Shell, machine: Machine, { json }: InstallOptions): Promise<number> {
  const listed = await listClients(machine);
  shell.stdout.write(json ? `${JSON.stringify(listed, undefined, 2)}\n` : clientsText(listed));
  return 0;
}

async function install(
  shell: Shell,
  id: ClientId,
  options: InstallOptions,
  machine: Machine,
): Promise<number> {
  const client = clients[id];
  await checkStdioFlags(options.flags);
  const paths = filesOf(id, options, machine);
  const vaults = chooseVaultsOf(options, shell);
  if (options.name !== undefined && vaults.length > 1) {
    throw new VaultError(
      'invalid_input',
      '--name works with one vault only; install the vaults one by one.',
    );
  }
  const request: InstallRequest = {
    client,
    vaults,
    entryName: options.name,
    ...programPaths(shell),
    flagsFor: (existing) => {
      if (options.replacesFlags) return options.flags;
      const flags = joinFlags(existing, options.flags);
      // Each may be right, and both together not.
      if (options.flags.length > 0) readStdioOptions(flags);
      return flags;
    },
    isSameVault,
    isMoved,
    isGone,
  };
  const files: PlannedFile[] = [];
  for (const path of paths) {
    const file = await readConfigFile(path);
    try {
      files.push({ file, plan: planInstall({ file: path, text: file.text }, request) });
    } catch (error) {
      const isInvalid = error instanceof VaultError && error.code === 'invalid_input';
      if (isInvalid && !options.json) shell.stderr.write(entriesToPaste(request));
      throw await withBackup(error, path, client.section);
    }
  }
  const plans = files.map(({ plan }) => plan);
  const stale = staleTexts(plans, id, vaults[0]?.path ?? '');
  const warnings = [...warningsOf(request, options), ...othersText(plans), ...stale];
  return applyPlan(shell, { client, files, options, warnings, next: client.next });
}

/** The vaults of `--vault`; without any, the one of `chooseVault`. Fails when one cannot be opened. */
function chooseVaultsOf({ vaults }: InstallOptions, shell: Shell): readonly VaultChoice[] {
  const flags = vaults.length === 0 ? [undefined] : vaults;
  const choices = flags.map((flag) => chooseVault(flag, shell));
  for (const { path } of choices) {
    refuseVaultsInside(openVaultRoot(path), { name: path, isTyped: true });
  }
  return choices;
}

async function uninstall(
  shell: Shell,
  id: ClientId,
  options: InstallOptions,
  machine: Machine,
): Promise<number> {
  const client = clients[id];
  const files: PlannedFile[] = [];
  // As with --write, a client that does not seem to be installed is not a failure here.
  for (const path of filesOf(id, { ...options, mode: 'write' }, machine)) {
    const file = await readConfigFile(path);
    if (file.text === undefined) continue;
    const plan = planUninstall(
      { file: path, text: file.text },
      {
        section: client.section,
        entryName: options.name,
        vaults: options.vaults.map((flag) => chooseVault(flag, shell).path),
        isSameVault,
        backups: await readBackups(file),
      },
    );
    files.push({ file, plan });
  }
  if (options.name !== undefined && files.every(({ plan }) => plan.entries.length === 0)) {
    throw new VaultError('not_found', `${client.title} has no server called "${options.name}".`);
  }
  if (files.length === 0 && !options.json) {
    shell.stdout.write(`${client.title} has no configuration: nothing to remove.\n`);
    return 0;
  }
  const next = `Restart ${client.title} for this to take effect.`;
  return applyPlan(shell, { client, files, options, warnings: [], next });
}

/** The files to edit: all that the client has, because it is not known which of them it reads. */
function filesOf(id: ClientId, options: InstallOptions, machine: Machine): readonly string[] {
  const { title } = clients[id];
  if (options.project) {
    const place = projectPlace(id, machine);
    if (place !== undefined) return [place.file];
    throw new VaultError(
      'invalid_input',
      `${title} has no configuration for projects; leave out --project.`,
    );
  }
  const there = installedPlaces(id, machine);
  if (there.length > 0) return there.map(({ file }) => file);
  const [usual] = clientPlaces(id, machine);
  if (usual !== undefined && options.mode === 'write') return [usual.file];
  throw new VaultError(
    'not_found',
    `${title} does not seem to be installed: there is no "${usual?.signs.at(-1)}". Start it once and try again, or use --write to make its configuration anyway.`,
  );
}

/** The entries to paste by hand into a file that cannot be edited because it is not valid. */
function entriesToPaste(request: InstallRequest): string {
  const entries = request.vaults.map((vault, i) => {
    const name = request.entryName ?? (i === 0 ? 'vaultdoor' : `vaultdoor-${i + 1}`);
    return [name, entryFor(vault, request)];
  });
  const snippet = { [request.client.section]: Object.fromEntries(entries) };
  return `This is what the file needs:\n${JSON.stringify(snippet, undefined, 2)}\n`;
}

function warningsOf(paths: ProgramPaths, options: InstallOptions): string[] {
  return [
    ...pathWarnings(paths),
    ...(options.project
      ? ['The entry has paths of this machine, which mean nothing to others who share the file.']
      : []),
  ];
}
