import { limits } from '../../base/limits.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { OwnerBook } from '../../oauth/ports/owner-book.ts';

interface OwnerWatchParts {
  readonly owner: Pick<OwnerBook, 'read'>;
  readonly timers: Timers;
  /** Called when the owner was forgotten, or has another passphrase than before. */
  readonly onOther: () => void;
}

/** Notices when the owner is another one, which another process may have done. */
export class OwnerWatch {
  readonly #parts: OwnerWatchParts;
  /** The hash of the passphrase when it was last looked at. */
  #passphrase: string | undefined;

  constructor(parts: OwnerWatchParts) {
    this.#parts = parts;
  }

  /** Looks now. Never rejects. */
  async look(): Promise<void> {
    const page = await this.#parts.owner.read().catch(() => undefined);
    if (page === undefined) return; // The book cannot be read now: nobody comes in by it either.
    const before = this.#passphrase;
    this.#passphrase = page.owner?.passphrase.hash;
    if (before !== undefined && before !== this.#passphrase) this.#parts.onOther();
  }

  /** Looks again and again, until the returned function is called. */
  start(): () => void {
    let isOver = false;
    const later = (): (() => void) =>
      this.#parts.timers.after(limits.consoleLookMs, () => {
        void this.look().then(() => {
          if (!isOver) cancel = later();
        });
      });
    let cancel = later();
    return () => {
      isOver = true;
      cancel();
    };
  }
}
