import { readFileSync, statfsSync } from 'node:fs';

/** File systems, by the magic number of `statfs`, on which others change files unheard. */
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

/**
 * Whether changes to files in this folder are told, whoever makes them. Only Linux says what a
 * file system is; elsewhere the answer is yes, and the user may ask for polling.
 */
export function givesFileEvents(
  folder: string,
  platform: NodeJS.Platform,
  typeOf: (folder: string) => number = (path) => statfsSync(path).type,
): boolean {
  if (platform !== 'linux') return true;
  try {
    // The number is signed on some machines.
    return !silent.has(typeOf(folder) >>> 0);
  } catch {
    return true;
  }
}

/**
 * Whether something is mounted somewhere in a folder, as Linux lists it: what is there may be a
 * drive that does not answer, whatever the folder itself lies on. Asks no drive. Where the list
 * cannot be read, nothing is known to be.
 */
export function hasMountsInside(
  folder: string,
  list = (): string => readFileSync('/proc/self/mountinfo', 'utf8'),
): boolean {
  const inside = folder.endsWith('/') ? folder : `${folder}/`;
  try {
    return list()
      .split('\n')
      .some((line) => {
        const point = spelledOut(line.split(' ', 5)[4] ?? '');
        return point.startsWith(inside) && point !== folder;
      });
  } catch {
    return false;
  }
}

/** The list has spaces, tabs, line ends and backslashes as octal numbers. */
function spelledOut(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

/**
 * Whether the disk of a folder answers at once, so that asking it need not keep a thread of its own.
 * Only Linux says what a file system is, and what is mounted where: elsewhere a drive may be one
 * that does not answer.
 */
export function answersAtOnce(folder: string, platform: NodeJS.Platform): boolean {
  return platform === 'linux' && givesFileEvents(folder, platform) && !hasMountsInside(folder);
}
