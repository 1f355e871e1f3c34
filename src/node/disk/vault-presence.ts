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
