import type { ChangeId } from '../../engine/ports/state-store.ts';

/**
 * Collects the first finished changes, in the order in which they were made, up to the first whose time
 * is not before `beforeMs`. A time after now is wrong: such a change is as old as the one after it.
 */
export class OldestChanges {
  readonly found: ChangeId[] = [];
  readonly #bounds: { readonly nowMs: number; readonly beforeMs: number };
  #undated: ChangeId[] = [];

  constructor(bounds: { readonly nowMs: number; readonly beforeMs: number }) {
    this.#bounds = bounds;
  }

  /** Adds the next changes. Answers false when one of them is not old enough: then there are no more. */
  add(page: readonly { readonly id: ChangeId; readonly time: number }[]): boolean {
    for (const { id, time } of page) {
      if (time > this.#bounds.nowMs) this.#undated.push(id);
      else if (time >= this.#bounds.beforeMs) return false;
      else {
        this.found.push(...this.#undated, id);
        this.#undated = [];
      }
    }
    return true;
  }
}
