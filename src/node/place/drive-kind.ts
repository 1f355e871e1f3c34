import { readFileSync, statfsSync } from 'node:fs';

/**
 * File systems that report no events for changes by other machines, by the magic number of `statfs`.
 */
const silent: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB 2'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x786f4256, 'VirtualBox'],
  [0x7c7c6673, 'Parallels'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
]);

/** How the system is asked; tests give other answers. */
interface SystemAnswers {
  /** The magic number of the file system that a folder is on. */
  readonly typeOf?: (folder: string) => number;
  /** The text of `/proc/self/mountinfo`. */
  readonly listMounts?: () => string;
}

/**
 * Whether the system reports all changes to files in this folder, whichever machine makes them. Only
 * Linux says what type a file system is; elsewhere the answer is yes, and the user may choose polling.
 */
export function givesFileEvents(
  folder: string,
  platform: NodeJS.Platform,
  { typeOf = (path) => statfsSync(path).type }: SystemAnswers = {},
): boolean {
  return silentDrive(folder, platform, { typeOf }) === undefined;
}

/**
 * The kind of drive that a folder is on, such as `FUSE`, if it does not report all changes. Undefined
 * for any other drive, and where the system does not say.
 */
export function silentDrive(
  folder: string,
  platform: NodeJS.Platform,
  { typeOf = (path) => statfsSync(path).type }: SystemAnswers = {},
): string | undefined {
  if (platform !== 'linux') return undefined;
  try {
    // The number is signed on some machines.
    return silent.get(typeOf(folder) >>> 0);
  } catch {
    return undefined;
  }
}

/**
 * The type of the file system that a folder is on, as Linux lists it, such as `ext4` or
 * `fuse.rclone`. Undefined where the system has no such list.
 */
export function fileSystemType(
  folder: string,
  { listMounts = mountList }: SystemAnswers = {},
): string | undefined {
  try {
    const mounts = listMounts()
      .split('\n')
      .map((line) => ({
        point: unescaped(line.split(' ', 5)[4] ?? ''),
        type: line.split(' - ')[1]?.split(' ')[0],
      }))
      .filter(({ point }) => point !== '' && liesBelow(folder, point));
    // Of several mounts at one point, the last one is seen.
    return mounts.reduce<(typeof mounts)[number] | undefined>(
      (inner, mount) => (mount.point.length >= (inner?.point.length ?? 0) ? mount : inner),
      undefined,
    )?.type;
  } catch {
    return undefined;
  }
}

function mountList(): string {
  return readFileSync('/proc/self/mountinfo', 'utf8');
}

function liesBelow(folder: string, point: string): boolean {
  return folder === point || folder.startsWith(point.endsWith('/') ? point : `${point}/`);
}

/**
 * Whether the disk of a folder always answers quickly, so that it can be called synchronously. True
 * only on Linux, which says what a file system is and what is mounted where: elsewhere the folder
 * may be on a network drive that does not answer.
 */
export function answersAtOnce(
  folder: string,
  platform: NodeJS.Platform,
  system: SystemAnswers = {},
): boolean {
  return (
    platform === 'linux' &&
    givesFileEvents(folder, platform, system) &&
    !hasMountsInside(folder, system)
  );
}

/**
 * Whether another drive is mounted somewhere inside a folder, by Linux's list of mounts. Never
 * touches a drive. False when the list cannot be read.
 */
export function hasMountsInside(
  folder: string,
  { listMounts = mountList }: SystemAnswers = {},
): boolean {
  const inside = folder.endsWith('/') ? folder : `${folder}/`;
  try {
    return listMounts()
      .split('\n')
      .some((line) => {
        const point = unescaped(line.split(' ', 5)[4] ?? '');
        return point.startsWith(inside) && point !== folder;
      });
  } catch {
    return false;
  }
}

/** The list of mounts writes spaces, tabs, line ends and backslashes as octal numbers. */
function unescaped(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}
