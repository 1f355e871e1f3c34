import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { limits } from '../../base/limits.ts';
import { vaultGone } from '../place/vault-gone.ts';
import {
  type FolderPlace,
  identityOf,
  isMountPoint,
  lookForPlace,
  placeOf,
} from '../place/vault-mount.ts';
import type { Answer } from './disk-calls.ts';

/**
 * Tells whether a vault's folder is there: not gone, not the folder beneath a mount that went
 * away, and on a drive that answers. A folder that takes the place of another is taken as it is,
 * and so is a mount that comes back under another device number.
 */
export class VaultPresence {
  readonly #root: string;
  readonly #answerMs: number;
  readonly #onReplaced: (() => void) | undefined;
  #known: FolderPlace;
  #answer: Promise<void> | undefined;

  /** `root` is a real path, and there at this moment. */
  constructor(
    root: string,
    options: { readonly answerMs?: number; readonly onReplaced?: (() => void) | undefined } = {},
  ) {
    this.#root = root;
    this.#answerMs = options.answerMs ?? limits.vaultAnswerMs;
    this.#onReplaced = options.onReplaced;
    this.#known = placeOf(root);
  }

  /**
   * Fails with `vault_not_found` when the vault is away. Costs one stat, which calls at the same
   * time share; a look that gets no answer keeps others from being sent after it, since each would
   * hold one of the few threads that Node has for files.
   */
  check(): Promise<void> {
    this.#answer ??= this.#ask();
    return this.#answer;
  }

  #ask(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      // After a moment in which nothing ran here, an answer may be there that nobody took yet.
      const giveUp = (): unknown => setImmediate(() => reject(vaultGone('silent')));
      timer = setTimeout(giveUp, this.#answerMs).unref();
    });
    const looked = this.#look().finally(() => {
      clearTimeout(timer);
      this.#answer = undefined;
    });
    return Promise.race([looked, late]);
  }

  async #look(): Promise<void> {
    try {
      const found = await stat(this.#root, { bigint: true });
      if (!found.isDirectory()) throw vaultGone('gone');
      if (identityOf(found) === this.#known.identity) return;
    } catch (error) {
      throw vaultGone('gone', error);
    }
    await this.#accept();
  }

  /** Another folder is at the vault's path: unless its mount is missing, it is the vault now. */
  async #accept(): Promise<void> {
    const { mount } = this.#known;
    if (mount !== undefined && !(await isMountPoint(mount).catch(() => false))) {
      throw vaultGone('unmounted');
    }
    this.#known = await lookForPlace(this.#root).catch((error: unknown) => {
      throw vaultGone('gone', error);
    });
    this.#onReplaced?.();
  }
}

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
