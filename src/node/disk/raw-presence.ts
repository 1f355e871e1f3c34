import { type BigIntStats, statSync } from 'node:fs';
import type { Answer } from './disk-calls.ts';

/** Tells whether the vault is there; fails with `vault_not_found` while it is away. */
export interface RawPresence {
  /** Before something is asked of the disk: a look of the same turn of the event loop will do. */
  before(): Answer<void>;
  /** After something was found missing, which is only believed of a vault that is still there. */
  after(): Answer<void>;
}

/**
 * Looks at a vault's folder without waiting, for disks that answer at once. As long as it is the
 * folder it was, that is all; otherwise `check` decides, and `onOther` is told when it accepts
 * another folder in its place.
 */
export function promptPresence(
  root: string,
  { check, onOther }: { readonly check: () => Promise<void>; readonly onOther: () => void },
): RawPresence {
  let known = folderAt(root);
  let looked = false;
  const learn = async (): Promise<void> => {
    const found = folderAt(root);
    await check();
    // What is there is what `check` has seen only if it was there before and is after it.
    if (!isSame(found, folderAt(root))) return;
    known = found;
    onOther();
  };
  const look = (): Answer<void> => (isSame(known, folderAt(root)) ? undefined : learn());
  return {
    before() {
      if (looked) return undefined;
      const answer = look();
      if (answer !== undefined) return answer;
      looked = true;
      setImmediate(() => {
        looked = false;
      });
      return undefined;
    },
    after: look,
  };
}

type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

/** The folder at a path; undefined when there is none, for whatever reason. */
function folderAt(path: string): Identity | undefined {
  try {
    // The file system may give a folder's number to the file that takes its place.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isDirectory() ? found : undefined;
  } catch {
    return undefined;
  }
}

function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}
