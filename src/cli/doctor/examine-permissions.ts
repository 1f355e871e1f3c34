import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { groupedNumber } from '../../base/grouped-number.ts';
import { limits } from '../../base/limits.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { counted } from '../../tools/cli/text.ts';
import type { Shell } from '../shell/shell.ts';
import type { SeenVault } from './doctor-vaults.ts';
import { bad, type Finding, hidden, known, ok, type Said, said, warning } from './finding.ts';
import { freeBytesOf } from './look-at-vault.ts';

/** The bits of a mode that give rights to others than the owner. */
const othersBits = 0o077;

/**
 * Whether notes can be changed, and whether our own files can be kept, privately. Only asks the
 * system: a file to try it with would be left in the vault if this process were killed.
 */
export function examinePermissions(
  vaults: readonly SeenVault[],
  env: Shell['env'],
): readonly Finding[] {
  const { state, cache } = appFolders(env, process.platform);
  const folders = [
    { check: 'state', folder: state, what: said`history and tokens`, variable: 'XDG_STATE_HOME' },
    { check: 'cache', folder: cache, what: said`the index`, variable: 'XDG_CACHE_HOME' },
  ];
  return [
    ...vaults.flatMap(writingFinding),
    ...folders.map(ownFolderFinding),
    ...roomFindings([
      ...vaults.flatMap(({ name, look }) =>
        'fault' in look ? [] : [{ where: name, bytes: look.drive.freeBytes }],
      ),
      ...folders.map(({ folder, what }) => ({ where: what, bytes: freeBytesOf(nearest(folder)) })),
    ]),
  ];
}

function writingFinding({ name, look }: SeenVault): readonly Finding[] {
  if ('fault' in look || look.tree === undefined) return [];
  const { closedFolders, folders } = look.tree;
  if (closedFolders === 0) {
    const says = said`Notes of ${name} can be changed, by its permissions (nothing was written).`;
    return [ok('writing', says)];
  }
  const many = known(`${counted(closedFolders, 'folder')} of ${folders}`);
  return [
    bad(
      'writing',
      said`In ${name}, ${many} may not be written, so notes there cannot be changed.`,
      said`Give this user the right to write (chmod u+rwX, or chown), or serve it with --read-only.`,
    ),
  ];
}

function ownFolderFinding(parts: {
  readonly check: string;
  readonly folder: string;
  readonly what: Said;
  readonly variable: string;
}): Finding {
  const { check, folder, what, variable } = parts;
  const path = hidden(` (${folder})`, '');
  const place = nearest(folder);
  const elsewhere = said`Check the permissions of ${hidden(`"${place}"`, 'the folder')}, or set ${known(variable)} to a folder that can be written.`;
  if (!mayWrite(place)) {
    return bad(
      check,
      said`The folder for ${what}${path} cannot be ${place === folder ? said`written` : said`made`}.`,
      elsewhere,
    );
  }
  if (place !== folder)
    return ok(check, said`The folder for ${what}${path} is made when it is needed.`);
  const { mode } = statSync(folder);
  // On Windows, the mode says nothing about other users.
  if (process.platform !== 'win32' && (mode & othersBits) !== 0) {
    return warning(
      check,
      said`Other users of this machine may open the folder for ${what}${path}.`,
      said`Close it: chmod 700 ${hidden(`"${folder}"`, 'the folder')}. The next change by Vaultdoor closes it, too.`,
    );
  }
  return ok(check, said`The folder for ${what}${path} can be written, by you alone.`);
}

/** The disks on which there is little room, or how much there is on the fullest. */
function roomFindings(
  places: readonly { readonly where: Said; readonly bytes: number | undefined }[],
): readonly Finding[] {
  const measured = places.flatMap(({ where, bytes }) =>
    bytes === undefined ? [] : [{ where, bytes }],
  );
  const few = measured.filter(({ bytes }) => bytes < limits.doctorRoomBytesFew);
  if (few.length === 0) {
    const least = Math.min(...measured.map(({ bytes }) => bytes));
    return measured.length === 0 ? [] : [ok('disk', said`At least ${sizeText(least)} are free.`)];
  }
  return few.map(({ where, bytes }) => {
    const says = said`Only ${sizeText(bytes)} are left on the disk of ${where}.`;
    const change = said`Make room there.`;
    return bytes < limits.doctorRoomBytesMin
      ? bad('disk', says, change)
      : warning('disk', says, change);
  });
}

function sizeText(bytes: number): Said {
  const megabytes = Math.floor(bytes / (1024 * 1024));
  const [size, unit] =
    megabytes < 10_000 ? [megabytes, 'MB'] : [Math.floor(megabytes / 1024), 'GB'];
  return known(`${groupedNumber(size)} ${unit}`);
}

/** The folder, or the nearest one around it that exists. */
function nearest(folder: string): string {
  const above = dirname(folder);
  return existsSync(folder) || above === folder ? folder : nearest(above);
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
