import type { VaultPath } from '../../base/vault-path.ts';
import type { ChangeId } from '../ports/state-store.ts';
import type { VaultParts } from '../vault/vault-parts.ts';
import { pathsOf } from './change-report.ts';

/**
 * Changes that are older than this when the vault is opened are certainly found by the first walk
 * of the index.
 */
const walkSlackMs = 60_000;
/**
 * With more changes of other processes than this, walking the vault costs less than looking at
 * the files of each.
 */
const catchUpMax = 1_000;

/** Has the index look at the files of changes, those of this process and those of others. */
export class IndexedChanges {
  readonly #parts: VaultParts;
  readonly #openedMs: number;
  /**
   * The newest change up to which the index has looked at all files; undefined before the first
   * `catchUp`.
   */
  #caughtUp: ChangeId | undefined;

  constructor(parts: VaultParts) {
    this.#parts = parts;
    this.#openedMs = parts.clock.nowMs();
  }

  /** See `VaultWriter`. */
  async catchUp(): Promise<ChangeId> {
    const { state, keeper } = this.#parts;
    const latest = await state.latest();
    if (this.#caughtUp === latest) return latest;
    const filter =
      this.#caughtUp === undefined
        ? { sinceMs: this.#openedMs - walkSlackMs }
        : { after: this.#caughtUp };
    const { items, total } = await state.changes(filter, { limit: catchUpMax, offset: 0 });
    if (total > items.length) await keeper.reconcile();
    else await keeper.refresh(items.flatMap(pathsOf));
    this.#caughtUp = latest; // Only now: another draft that asks before this has to wait too.
    return latest;
  }

  /**
   * Has the index look at the files of a change of this process. `latest` is the change before it,
   * if no other can have come in between.
   */
  async changed(
    paths: readonly VaultPath[],
    { id, latest }: { readonly id: ChangeId; readonly latest: ChangeId | undefined },
  ): Promise<void> {
    const isLooked = await this.look(paths);
    if (isLooked && latest !== undefined && latest === this.#caughtUp) this.#caughtUp = id;
  }

  /**
   * Has the index look at changed files, and answers whether it did. Waits for that only when the
   * index has all names; otherwise it has yet to walk the whole vault, and looks at these files before
   * it answers anything. Never rejects: a failure of the index does not make a change fail.
   */
  async look(paths: readonly VaultPath[]): Promise<boolean> {
    const { keeper } = this.#parts;
    const looked = keeper.refresh(paths).then(
      () => true,
      () => false,
    );
    return keeper.isReady('names') && looked;
  }
}
