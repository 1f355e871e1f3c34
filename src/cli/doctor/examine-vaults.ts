import { limits } from '../../base/limits.ts';
import { counted } from '../../tools/cli/text.ts';
import type { SeenVault } from './doctor-vaults.ts';
import {
  absent,
  bad,
  command,
  type Finding,
  hidden,
  joined,
  known,
  ok,
  type Said,
  said,
  warning,
} from './finding.ts';
import type { VaultDrive, VaultTree } from './look-at-vault.ts';

/** Whether the vaults can be opened and read, and what their drives mean for us. */
export function examineVaults(vaults: readonly SeenVault[]): readonly Finding[] {
  if (vaults.length === 0) {
    return [
      warning(
        'vault',
        said`None is named: not by --vault, the environment, the current folder, an app, or Obsidian's list.`,
        said`Run "${command(['setup'])}", or give the folder of your notes: "${command(['doctor', '--vault'])} <folder>".`,
      ),
    ];
  }
  const isOneOpen = vaults.some(({ look }) => !('fault' in look));
  return vaults.flatMap((vault) => {
    const { look } = vault;
    if ('fault' in look) return [unopened(vault, isOneOpen)];
    const { drive, tree } = look;
    return [
      ...(tree === undefined ? [] : [folderFinding(vault, tree), ...fileFindings(vault, tree)]),
      driveFinding(vault, drive),
    ];
  });
}

/** `isOneOpen`: another vault can be opened. */
function unopened(vault: SeenVault, isOneOpen: boolean): Finding {
  const { name, path, from, look, isChosen, isOfClient } = vault;
  const where = said`${name}${hidden(` (${path})`, '')}; ${from}`;
  const isMissing = 'fault' in look && look.fault === 'missing';
  // Obsidian's list keeps a vault that was moved or deleted until a person takes it out.
  if (isMissing && !isChosen && !isOfClient && isOneOpen) {
    return absent(
      'vault',
      said`${where}, but it does not exist any more. Nothing uses it: you can take it out of the list in Obsidian ("Manage vaults").`,
    );
  }
  if (isMissing && !isChosen) {
    return warning(
      'vault',
      said`${where}, but it does not exist any more.`,
      isOfClient
        ? said`Correct the entry of the app: what to type is said under "Apps on this machine".`
        : said`If it was moved, open it in Obsidian again, or run "${command(['setup'])}".`,
    );
  }
  if ('fault' in look && look.fault === 'silent') {
    const seconds = limits.doctorLookMs / 1000;
    return bad(
      'vault',
      said`${where}. Its drive has not answered in ${seconds} seconds.`,
      said`Look whether the network or the program behind the drive works, and mount it again.`,
    );
  }
  return bad(
    'vault',
    said`${where}. ${isMissing ? said`The folder does not exist.` : hidden('fault' in look ? look.message : '', 'It cannot be opened.')}`,
    isMissing
      ? said`Give the folder of your notes: "${command(['doctor', '--vault'])} <folder>".`
      : said`Check the permissions of the folder, and which user this runs as.`,
  );
}

function folderFinding({ name, path, from }: SeenVault, tree: VaultTree): Finding {
  const { notes, folders, isWhole } = tree;
  const least = isWhole ? '' : 'at least ';
  const many = known(`${least}${counted(notes, 'note')} in ${counted(folders, 'folder')}`);
  return ok('vault', said`${name}${hidden(` (${path})`, '')} has ${many}; ${from}.`);
}

function fileFindings({ name }: SeenVault, tree: VaultTree): readonly Finding[] {
  const { unreadable, unreadableNames, away } = tree;
  const names = unreadableNames.map((path) => `"${path}"`).join(', ');
  const more = unreadable > unreadableNames.length ? ' …' : '';
  return [
    unreadable === 0
      ? ok('files', said`All files of ${name} can be read.`)
      : bad(
          'files',
          said`${known(counted(unreadable, 'file or folder', 'files or folders'))} of ${name} cannot be read${hidden(`: ${names}${more}`, '')}.`,
          said`Give this user the right to read them (chmod u+rwX, or chown), or hide them from apps (--hide).`,
        ),
    ...(away === 0
      ? []
      : [
          warning(
            'cloud',
            said`${name} has ${known(counted(away, 'file'))} in the cloud only. Apps see the names, not the text.`,
            said`Let your sync program keep the vault on this machine ("always keep on this device").`,
          ),
        ]),
  ];
}

function driveFinding({ name }: SeenVault, drive: VaultDrive): Finding {
  const { type, silent, ignoresCase } = drive;
  const cases = caseText(ignoresCase);
  if (silent === undefined) {
    const what = type === undefined ? said`a drive` : said`${known(type)}`;
    return ok('drive', joined(said`${name} is on ${what}.`, cases));
  }
  const kind = known(type === undefined || type === silent ? silent : `${silent} (${type})`);
  const seconds = limits.pollEveryMs / 1000;
  return warning(
    'drive',
    joined(
      said`${name} is on a network or cloud drive: ${kind}. It does not report changes, so a server looks every ${seconds} seconds, and a change of many notes takes as long as the drive needs. If you move or rename the folder of the vault, its history stays behind.`,
      cases,
    ),
    type === 'fuse.rclone'
      ? said`Mount it with "--vfs-cache-mode full --vfs-write-back 0s --attr-timeout 0s", or changes may fail with "keeps changing".`
      : said`This works. It is quicker to keep the vault on a local disk and to let a program sync it.`,
  );
}

function caseText(ignoresCase: boolean | undefined): Said {
  if (ignoresCase === undefined) return said`Whether it tells a.md from A.md is not known.`;
  return ignoresCase ? said`It does not tell a.md from A.md.` : said`It tells a.md from A.md.`;
}
