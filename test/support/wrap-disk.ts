import type { WritableDisk } from '../../src/engine/ports/ports.ts';

/** Which method of a disk is called, and on which path. */
export interface DiskCall {
  readonly method: keyof WritableDisk;
  readonly path: string;
}

/** A disk whose every call goes through `around`, which decides whether and when it is made. */
export function wrapDisk(
  disk: WritableDisk,
  around: <T>(call: DiskCall, run: () => Promise<T>) => Promise<T>,
): WritableDisk {
  const wrap =
    <Rest extends unknown[], T>(
      method: keyof WritableDisk,
      run: (path: never, ...rest: Rest) => Promise<T>,
    ) =>
    (path: string, ...rest: Rest): Promise<T> =>
      around({ method, path }, () => run(path as never, ...rest));
  return {
    check: disk.check,
    read: wrap('read', disk.read),
    stat: wrap('stat', disk.stat),
    list: wrap('list', disk.list),
    kind: wrap('kind', disk.kind),
    entry: wrap('entry', disk.entry),
    entries: wrap('entries', disk.entries),
    readEnd: wrap('readEnd', disk.readEnd),
    append: wrap('append', disk.append),
    cut: wrap('cut', disk.cut),
    stage: wrap('stage', disk.stage),
    syncStaged: wrap('syncStaged', disk.syncStaged),
    hasStaged: wrap('hasStaged', disk.hasStaged),
    place: wrap('place', disk.place),
    unstage: wrap('unstage', disk.unstage),
    move: wrap('move', disk.move),
    remove: wrap('remove', disk.remove),
    removeEntry: wrap('removeEntry', disk.removeEntry),
    makeFolder: wrap('makeFolder', disk.makeFolder),
    removeFolder: wrap('removeFolder', disk.removeFolder),
    syncFolder: wrap('syncFolder', disk.syncFolder),
    cannotKeep: () => around({ method: 'cannotKeep', path: '/' }, disk.cannotKeep),
  };
}

const reads: readonly (keyof WritableDisk)[] = [
  'read',
  'stat',
  'list',
  'kind',
  'entry',
  'entries',
  'hasStaged',
  'readEnd',
  'cannotKeep',
];

/** Whether a method only looks. */
export function isRead({ method }: DiskCall): boolean {
  return reads.includes(method);
}
