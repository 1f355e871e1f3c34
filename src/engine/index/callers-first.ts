import type { VaultPath } from '../../base/vault-path.ts';
import type { Clock, ScanWant } from '../ports/ports.ts';
import { BuildPause } from './build-pause.ts';
import type { IndexReadiness } from './index-readiness.ts';
import { closing, keeping } from './keeper-ports.ts';
import { lookAtPending } from './look-in-pairs.ts';
import type { PendingLooks } from './pending-looks.ts';
import type { WantedFacts } from './wanted-facts.ts';

interface CallersFirstParts {
  readonly pending: PendingLooks;
  readonly wanted: WantedFacts;
  /** Looks at the next few pending files. */
  readonly look: () => Promise<void>;
  readonly readWanted: (paths: readonly VaultPath[], want: readonly ScanWant[]) => Promise<void>;
}

/** A caller who has found files ahead of the first walk asks the index within this time. */
const aheadNextMs = 20;

/** For `IndexKeeper`: what is done between two batches of long work, because callers wait for it. */
export class CallersFirst {
  readonly pause: BuildPause;
  /** The same for the first walk, which pauses for callers who do not wait for its end. */
  readonly ahead: BuildPause;
  readonly #parts: CallersFirstParts;

  constructor(clock: Clock, readiness: IndexReadiness, parts: CallersFirstParts) {
    this.pause = new BuildPause(clock, readiness);
    this.ahead = new BuildPause(clock, readiness, aheadNextMs);
    this.#parts = parts;
  }

  /** Looks at files that have changed during long work, and reads facts that callers wait for. */
  async lookBetween(): Promise<void> {
    const { pending, wanted, look, readWanted } = this.#parts;
    while (pending.hasFiles || wanted.isAny) {
      await lookAtPending(pending, keeping.lookPaths, look);
      if (wanted.isAny) await wanted.read(readWanted);
    }
  }

  /** Looks at the files that callers wait for. */
  async lookAtAwaited(): Promise<void> {
    while (this.#parts.pending.isAwaited) await this.#parts.look();
  }

  /** Fails everything that callers wait for. */
  fail(error: unknown): void {
    this.#parts.pending.takeAll().fail(error);
    this.#parts.wanted.fail(error);
  }

  /** Fails everything that callers wait for, because the vault is closed: nothing is done any more. */
  close(): void {
    this.fail(closing());
    this.pause.end();
    this.ahead.end();
  }

  /** Lets the first walk wait for callers who have the vault searched meanwhile. */
  async letAhead(): Promise<void> {
    while (await this.ahead.once(() => false));
  }

  /** Does what `lookBetween` does, and lets the first build of the index wait for callers. */
  async first(): Promise<void> {
    const { pending, wanted } = this.#parts;
    do await this.lookBetween();
    while (await this.pause.once(() => wanted.isAny || pending.isAwaited));
  }
}
