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

/** Where a folder lies, by its real path. Fails with the system's errors. */
export function placeOf(folder: string): FolderPlace {
  return placeIn(linesUp(folder).map((path) => [path, statSync(path, { bigint: true })]));
}

/** The same, without blocking the thread while a drive takes its time. */
export async function lookForPlace(folder: string): Promise<FolderPlace> {
  const stats = linesUp(folder).map(
    async (path): Promise<Line> => [path, await stat(path, { bigint: true })],
  );
  return placeIn(await Promise.all(stats));
}

/** Whether something is mounted at a path: it is on another device than the folder around it. */
export async function isMountPoint(path: string): Promise<boolean> {
  const [here, above] = await Promise.all([stat(path), stat(dirname(path))]);
  return here.dev !== above.dev;
}

/** Tells a folder from any other that was, or will be, at the same path. */
export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

type Line = readonly [path: string, stat: BigIntStats];

/** The folder and those around it, the innermost first. */
function linesUp(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...linesUp(above)];
}

function placeIn(lines: readonly Line[]): FolderPlace {
  const [first] = lines;
  const mount = lines.find(([, { dev }], at) => {
    const above = lines[at + 1];
    return above !== undefined && above[1].dev !== dev;
  });
  return {
    identity: first === undefined ? '' : identityOf(first[1]),
    ...(mount === undefined ? {} : { mount: mount[0] }),
  };
}
