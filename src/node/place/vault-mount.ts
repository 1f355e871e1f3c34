import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A folder, and the mount that holds it. */
export interface FolderPlace {
  /** Device and inode: another folder has another one, and so has one that is mounted over it. */
  readonly identity: string;
  /** Where the file system that the folder lies on is mounted; absent for that of the root. */
  readonly mount?: string;
}

/**
 * Where a folder lies, by its real path. Fails with the system's errors about the folder itself;
 * those around it may be closed to us, as they often are on Windows, and tell nothing then.
 */
export function placeOf(
  folder: string,
  look = (path: string): Numbers => statSync(path, { bigint: true }),
): FolderPlace {
  const lookAround = (path: string): Line => {
    try {
      return [path, look(path)];
    } catch {
      return [path, undefined];
    }
  };
  return placeIn([folder, look(folder)], foldersAround(folder).map(lookAround));
}

/** The same, without blocking the thread while a drive takes its time. */
export async function lookForPlace(folder: string): Promise<FolderPlace> {
  const look = (path: string): Promise<Numbers> => stat(path, { bigint: true });
  const [here, ...around] = await Promise.all([
    look(folder),
    ...foldersAround(folder).map(
      async (path): Promise<Line> => [path, await look(path).catch(() => undefined)],
    ),
  ]);
  return placeIn([folder, here], around);
}

/** Whether something is mounted at a path: it is on another device than the folder around it. */
export async function isMountPoint(path: string): Promise<boolean> {
  const [here, above] = await Promise.all([stat(path), stat(dirname(path))]);
  return here.dev !== above.dev;
}

/** Tells a folder from any other that was, or will be, at the same path. */
export function identityOf({ dev, ino }: Numbers): string {
  return `${dev}:${ino}`;
}

type Numbers = Pick<BigIntStats, 'dev' | 'ino'>;
type Line = readonly [path: string, stat: Numbers | undefined];

/** The innermost first. */
function foldersAround(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAround(above)];
}

function placeIn(
  here: readonly [path: string, stat: Numbers],
  around: readonly Line[],
): FolderPlace {
  const mount = [here, ...around].find(([, inner], at) => {
    const outer = around[at]?.[1];
    return inner !== undefined && outer !== undefined && outer.dev !== inner.dev;
  });
  return { identity: identityOf(here[1]), ...(mount === undefined ? {} : { mount: mount[0] }) };
}
