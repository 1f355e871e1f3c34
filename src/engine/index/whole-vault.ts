import type { VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import { wholeVault } from '../ports/view.ts';
import type { CallersFirst } from './callers-first.ts';
import type { FileLooker } from './file-looker.ts';
import type { IndexBuilder } from './index-builder.ts';
import type { IndexReadiness } from './index-readiness.ts';
import type { FindAhead } from './wanted-facts.ts';

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
  #unseen: { readonly store: IndexStore; readonly isEmpty: Promise<boolean> } | undefined;
  /** The files that were stored ahead of the first walk. They may have changed since. */
  readonly #ahead = new Set<VaultPath>();

  constructor(parts: WholeVaultParts) {
    this.#parts = parts;
  }

  /** Whether the index of a store had nothing when it was opened. */
  isUnseen(store: IndexStore): Promise<boolean> {
    if (this.#unseen?.store !== store) {
      const isEmpty = store.status(wholeVault).then(({ files }) => files === 0);
      const unseen = { store, isEmpty };
      this.#unseen = unseen;
      isEmpty.catch(() => {
        if (this.#unseen === unseen) this.#unseen = undefined; // The next call asks again.
      });
    }
    return this.#unseen.isEmpty;
  }

  /**
   * Finds the files that a question needs, while the first walk pauses, and stores them ahead of it.
   * Those that were stored for earlier questions are looked at again, so that the index has nothing that
   * they have lost. Answers whether it can be asked; if not, the question has to wait for the walk.
   */
  lookAhead(
    open: () => Promise<IndexStore>,
    ahead: FindAhead | undefined,
    options: Parameters<FindAhead>[0],
  ): Promise<boolean> {
    const { looker, readiness, callers } = this.#parts;
    if (ahead === undefined || readiness.isBuilt('names')) return Promise.resolve(false);
    return callers.ahead.during(async () => {
      try {
        const finding = ahead(options);
        finding.catch(() => undefined); // It is awaited below, unless the store cannot be opened.
        const store = await open();
        const found = (await this.isUnseen(store)) ? await finding : undefined;
        if (found === undefined || readiness.isReady('names')) return false;
        readiness.expect(found.notes);
        for (const path of found.paths) this.#ahead.add(path);
        await looker.lookAhead(store, Array.from(this.#ahead));
        return true;
      } catch {
        return false; // Whoever waits for the walk is told why.
      }
    });
  }

  /**
   * Walks the whole vault. The first walk also reads the facts of all changed files. Later ones answer
   * these files instead: they are looked at afterwards, and the index can be asked meanwhile.
   */
  async walk(store: IndexStore): Promise<readonly VaultPath[]> {
    const { builder, looker, readiness, callers } = this.#parts;
    const unread = Array.from(looker.unread.keys());
    await this.isUnseen(store);
    const stale = await builder.walkVault(store, async (walked) => {
      if (!readiness.isReady('facts')) readiness.reportWalk(walked);
      if (readiness.isReady('names')) await callers.lookBetween();
      else await callers.letAhead();
    });
    // What this process changed during the walk may not have been seen by it.
    await callers.lookAtAwaited();
    readiness.complete('names');
    this.#ahead.clear();
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
