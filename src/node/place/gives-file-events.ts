import { statfsSync } from 'node:fs';

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
