import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import { wholeVault } from '../ports/view.ts';
import type { CallersFirst } from './callers-first.ts';
import type { FileLooker } from './file-looker.ts';
import type { IndexBuilder } from './index-builder.ts';
import type { IndexReadiness } from './index-readiness.ts';

interface WholeVaultParts {
  readonly builder: IndexBuilder;
  readonly looker: FileLooker;
  readonly readiness: IndexReadiness;
  readonly callers: CallersFirst;
}

/**
 * For `IndexKeeper`: the long work on the whole vault. It reports how far it is, and between two
 * batches it does what callers wait for.
 */
export class WholeVault {
  readonly #parts: WholeVaultParts;

  constructor(parts: WholeVaultParts) {
    this.#parts = parts;
  }

  /**
   * Walks the whole vault. The first walk also reads the facts of all changed files. Later ones answer
   * these files instead: they are looked at afterwards, and the index can be asked meanwhile.
   */
  async walk(store: IndexStore): Promise<readonly VaultPath[]> {
    const { builder, looker, readiness, callers } = this.#parts;
    const unread = Array.from(looker.unread.keys());
    const stale = await builder.walkVault(store, async (walked) => {
      if (!readiness.isReady('facts')) readiness.reportWalk(walked);
      if (readiness.isReady('names')) await callers.lookBetween();
    });
    // What this process changed during the walk may not have been seen by it.
    await callers.lookAtAwaited();
    readiness.complete('names');
    if (readiness.isReady('facts')) {
      // A file that still cannot be read has no facts, so it is among the stale ones.
      const stillStale = new Set(stale);
      for (const path of unread) if (!stillStale.has(path)) looker.unread.delete(path);
      return stale;
    }
    await callers.first();
    readiness.report({ stage: 'facts', done: 0, total: stale.length });
    await builder.readFacts(store, stale, async (done) => {
      readiness.report({ stage: 'facts', done, total: stale.length });
      await callers.first();
    });
    readiness.complete('facts');
    readiness.report({ stage: 'text', done: 0, total: 0 });
    return [];
  }

  /** Reads the full text of files that lack it; answers whether there may be more of them. */
  async fillText(store: IndexStore): Promise<boolean> {
    const { builder, readiness, callers } = this.#parts;
    await callers.first();
    const { searchable, notes } = await store.status(wholeVault);
    const isMore = await builder.fillText(store, async (done) => {
      const progress = { stage: 'text', done: searchable + done, total: notes } as const;
      if (!readiness.isReady('text')) readiness.report(progress);
      await callers.first();
    });
    if (isMore) return true;
    callers.pause.reset();
    readiness.report({ stage: 'ready', done: notes, total: notes });
    return false;
  }
}
