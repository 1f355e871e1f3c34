import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Which folder is at a path, and where its drive is mounted. */
export interface FolderPlace {
  /** Device and inode: different for every folder, also for one that is mounted over another. */
  readonly identity: string;
  /** Where the folder's file system is mounted; absent when it is the system's own. */
  readonly mount?: string;
}

/**
 * The place of a folder, given its real path. Fails with the system's errors about the folder itself.
 * Parent folders that may not be looked at, as is common on Windows, are passed over.
 */
export function placeOf(
  folder: string,
  look = (path: string): Numbers => statSync(path, { bigint: true }),
): FolderPlace {
  const lookAround = (path: string): Looked => {
    try {
      return [path, look(path)];
    } catch {
      return [path, undefined];
    }
  };
  return placeIn([folder, look(folder)], foldersAround(folder).map(lookAround));
}

/** The same as `placeOf`, but asynchronous: a slow drive does not block the thread. */
export async function lookForPlace(folder: string): Promise<FolderPlace> {
  const look = (path: string): Promise<Numbers> => stat(path, { bigint: true });
  const [here, ...around] = await Promise.all([
    look(folder),
    ...foldersAround(folder).map(
      async (path): Promise<Looked> => [path, await look(path).catch(() => undefined)],
    ),
  ]);
  return placeIn([folder, here], around);
}

/** Whether a drive is mounted at a path, which is when its parent folder is on another device. */
export async function isMountPoint(path: string): Promise<boolean> {
  const [here, above] = await Promise.all([stat(path), stat(dirname(path))]);
  return here.dev !== above.dev;
}

/** A text that is different for each folder that ever was at the same path. */
export function identityOf({ dev, ino }: Numbers): string {
  return `${dev}:${ino}`;
}

/** The numbers by which the system identifies a folder. */
type Numbers = Pick<BigIntStats, 'dev' | 'ino'>;
/** A folder and its stat; undefined when it may not be looked at. */
type Looked = readonly [path: string, stat: Numbers | undefined];

/** All parent folders, the nearest first. */
function foldersAround(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAround(above)];
}

/** The drive is mounted at the first of these folders whose parent is on another device. */
function placeIn(
  here: readonly [path: string, stat: Numbers],
  around: readonly Looked[],
): FolderPlace {
  const mount = [here, ...around].find(([, inner], at) => {
    const outer = around[at]?.[1];
    return inner !== undefined && outer !== undefined && outer.dev !== inner.dev;
  });
  return { identity: identityOf(here[1]), ...(mount === undefined ? {} : { mount: mount[0] }) };
}
