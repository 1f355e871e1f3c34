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
import { isCutOff } from '../system/disk-error.ts';
import type { MaybePromise } from './disk-calls.ts';

/** Both calls fail with `vault_not_found` while the vault's folder is away. */
export interface PresenceCheck {
  /** To be called before the disk is used. One look serves all calls in a turn of the event loop. */
  before(): MaybePromise<void>;
  /** To be called when something was not found. Always looks again. */
  after(): MaybePromise<void>;
}

/**
 * Makes one call to the disk of a vault whose drive may go away. While the vault is away, the call is
 * not made, so that nothing is written into the empty folder under a missing mount. A failure, or an
 * answer that is doubtful because an empty folder would give it too, counts only if the vault is
 * still there afterwards. `toError` turns what the call threw into the error for the caller.
 */
export async function guardCall<T>(
  presence: PresenceCheck,
  {
    call,
    isDoubtful,
    toError = (error) => error,
  }: {
    readonly call: () => Promise<T>;
    readonly isDoubtful: (answer: T) => boolean;
    readonly toError?: (error: unknown) => unknown;
  },
): Promise<T> {
  const looking = presence.before();
  if (looking !== undefined) await looking; // Mostly it is done: `await` would only cost a turn.
  let answer: T;
  try {
    answer = await call();
  } catch (error) {
    const failure = toError(error);
    await presence.after();
    // The check above may have been answered from a cache of the system, although the drive is gone.
    throw isCutOff(failure) ? vaultGone('silent', error) : failure;
  }
  const again = isDoubtful(answer) ? presence.after() : undefined;
  if (again !== undefined) await again;
  return answer;
}

/**
 * Finds out whether a vault's folder is there: it exists, its drive is mounted, and the drive
 * answers. When another folder, or the same mount with a new device number, is found at the path, it
 * is accepted as the vault.
 */
export class VaultPresence {
  readonly #root: string;
  /** How long the drive may take to answer. */
  readonly #answerMs: number;
  readonly #onReplaced: (() => void) | undefined;
  /** The folder that counts as the vault. */
  #known: FolderPlace;
  /** The check that is running, if any. */
  #answer: Promise<void> | undefined;

  /** `root` is a real path, and the folder must exist now. */
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
   * Fails with `vault_not_found` when the vault is away. Costs one stat, which simultaneous calls
   * share. While a stat gets no answer, no other is sent: each would block one of the few threads
   * that Node has for files.
   */
  check(): Promise<void> {
    this.#answer ??= this.#ask();
    return this.#answer;
  }

  #ask(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const noAnswer = new Promise<never>((_resolve, reject) => {
      // If this thread was blocked, the answer may have arrived without having been read yet.
      const giveUp = (): unknown => setImmediate(() => reject(vaultGone('silent')));
      timer = setTimeout(giveUp, this.#answerMs).unref();
    });
    const looked = this.#look().finally(() => {
      clearTimeout(timer);
      this.#answer = undefined;
    });
    return Promise.race([looked, noAnswer]);
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

  /** Accepts another folder at the vault's path as the vault, unless its drive is not mounted. */
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

/**
 * Checks a vault's folder with a synchronous stat, for disks that always answer quickly. As long as
 * the folder is the same as before, nothing else is done. Otherwise `check` decides, and `onOther` is
 * called when it accepts another folder in its place.
 */
export function syncPresence(
  root: string,
  { check, onOther }: { readonly check: () => Promise<void>; readonly onOther: () => void },
): PresenceCheck {
  let known = folderAt(root);
  let looked = false; // In this turn of the event loop.
  const learn = async (): Promise<void> => {
    const found = folderAt(root);
    await check();
    // Only if the folder did not change during `check` is it the one that `check` has accepted.
    if (!isSame(found, folderAt(root))) return;
    known = found;
    onOther();
  };
  const look = (): MaybePromise<void> => (isSame(known, folderAt(root)) ? undefined : learn());
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

/** The folder at a path; undefined when there is none, or when it cannot be looked at. */
function folderAt(path: string): Identity | undefined {
  try {
    // A file in the folder's place may have the same inode number.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isDirectory() ? found : undefined;
  } catch {
    return undefined;
  }
}

function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}
