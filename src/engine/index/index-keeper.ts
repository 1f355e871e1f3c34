import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isHidden, type VaultPath } from '../../base/vault-path.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import { type IndexStore, isIndexDamage, isIndexUnusable } from '../ports/index-store.ts';
import type { WalkSummary, WatchReport } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { FileLooker } from './file-looker.ts';
import { IndexBuilder } from './index-builder.ts';
import { IndexReadiness, type IndexWait } from './index-readiness.ts';
import { type IndexKeeperPorts, keeping, type Looked } from './keeper-ports.ts';
import { KeptStore } from './kept-store.ts';
import { lookInPairs } from './look-in-pairs.ts';
import { PendingLooks } from './pending-looks.ts';
import { type FactsAsked, lackingAbout, WantedFacts } from './wanted-facts.ts';
import { withLease } from './with-lease.ts';

const everything: WatchReport = { paths: [], folders: [], reconcile: true };
/**
 * Keeps the index equal to the disk: one walk at the start, then what the watcher reports. To "look
 * at" a file means to compare it with the index, and to read it if it has changed. One loop
 * (`#work`) does one piece of work at a time; everything else only notes what there is to do and
 * starts the loop. Begins when `start` is called, or with the first call that waits for the index.
 * Several processes may share one index: walks and full text are done by the one that holds the
 * lease (`IndexStore.tryLease`). Paths with dot names are not in the index.
 */
export class IndexKeeper {
  readonly #ports: IndexKeeperPorts;
  readonly #pending = new PendingLooks();
  readonly #wanted = new WantedFacts();
  readonly #looker: FileLooker;
  readonly #builder: IndexBuilder;
  readonly #readiness: IndexReadiness;
  readonly #looked = new Listeners<Looked>();
  readonly #store: KeptStore;
  /** Whether the whole vault has to be walked, and whether files may lack their full text. */
  #walkWanted = true;
  #textWanted = false;
  #damaged = false;
  #rebuilds = 0;
  #failedMs = 0; // When indexing failed last.
  /** The loop; undefined while there is nothing to do. */
  #running: Promise<void> | undefined;
  #isBegun = false;
  #isAsleep = false; // See `sleep`.
  /** Whether to walk the vault some time after it wakes: a regular walk fell into its sleep. */
  #walkLater = false;
  #closed = false;
  #stopListening: (() => void) | undefined;

  constructor(ports: IndexKeeperPorts) {
    this.#ports = ports;
    this.#store = new KeptStore(ports.openStore);
    this.#looker = new FileLooker(ports, this.#pending);
    this.#builder = new IndexBuilder(ports.scanner, this.#looker);
    this.#readiness = new IndexReadiness(ports);
  }

  get progress(): IndexProgress {
    return this.#readiness.progress;
  }

  /** What walks have found besides files. */
  get summary(): WalkSummary {
    return this.#builder.summary;
  }

  /** Files that could not be read when they were last scanned, with the reason. */
  get unread(): ReadonlyMap<VaultPath, string> {
    return this.#looker.unread;
  }

  /** Whether notes are still being read whose facts the index does not have. */
  get isNew(): boolean {
    return this.#isBegun && !this.isReady('facts');
  }

  /** Begins to index in the background. Calling it again has no effect. */
  start(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#run();
  }

  /** The store, opened at the first call. It may still be incomplete: see `wait`. */
  store(): Promise<IndexStore> {
    this.wake();
    return this.#store.get();
  }

  /** Closes the index until it is needed again; answers whether it is closed. See docs/internals. */
  async sleep(): Promise<boolean> {
    const isIdle = this.#running === undefined && !this.#hasWork() && !this.#closed;
    const isWhole = this.isReady('text') && this.#readiness.failure === undefined;
    if (this.#isAsleep || !isIdle || !isWhole || !this.#ports.watcher) return this.#isAsleep;
    this.#isAsleep = true;
    await this.#store.close().catch(() => undefined); // Whoever asks next opens it again.
    return true;
  }

  /** Ends `sleep`. No part counts as complete until what changed meanwhile was looked at. */
  wake(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    if (this.#walkWanted || this.#pending.size > 0) this.#readiness.fallBehind();
    if (this.#hasWork()) this.#run();
  }

  /** Waits until a part is complete, at most `waitMs`; answers whether it is. Fails as indexing does. */
  async wait(part: IndexPart, { waitMs, ...options }: IndexWait): Promise<boolean> {
    this.start();
    this.wake();
    const nowMs = this.#ports.clock.nowMs();
    const endMs = nowMs + waitMs;
    const { failure } = this.#readiness;
    if (failure?.code === 'vault_not_found') {
      await this.#looker.checkVault(); // It was away; now it has come back.
      if (this.#readiness.failure === failure) this.#heard(everything);
    }
    // Its disk was full, for example, and may have room by now.
    if (isIndexUnusable(failure) && nowMs - this.#failedMs >= keeping.unusableRetryMs) {
      this.#heard(everything);
    }
    return this.#readiness.wait(part, { ...options, endMs });
  }

  /** The same for some facts: while a vault is new, only files that can matter are parsed for it. */
  async waitForLinks(about: FactsAsked, options: IndexWait): Promise<boolean> {
    if (!(await this.wait('names', options))) return false;
    if (this.isReady('facts')) return true;
    const paths = await lackingAbout(await this.store(), this.#ports.scanner, about);
    if (paths.length === 0 || this.isReady('facts')) return true;
    const read = this.#wanted.wait(paths);
    this.#run();
    await read;
    return true;
  }

  /** Resolves when every change on disk before the call is in the index. */
  async settle(): Promise<void> {
    this.start();
    this.wake();
    await this.#ports.watcher?.flush();
    await this.#quiet();
  }

  /** As `settle`, for at most `waitMs`. A failure is left to the next question to the index. */
  settleWithin(waitMs: number): Promise<void> {
    return this.#readiness.within(waitMs, this.settle());
  }

  /** Whether a part of the index is complete. */
  isReady(part: IndexPart): boolean {
    return this.#readiness.isReady(part);
  }

  /** Has changed files looked at first, and waits; at once before the first walk, which finds them. */
  refresh(paths: readonly VaultPath[]): Promise<void> {
    const indexed = paths.filter((path) => !isHidden(path));
    if (indexed.length === 0 || !this.#isBegun) return Promise.resolve();
    this.wake();
    const looked = this.#pending.wait(indexed);
    this.#heard({ paths: [], folders: [], reconcile: false }); // Only starts the work.
    return looked;
  }

  /** Walks the whole vault again, if indexing has begun, and waits until nothing is left to do. */
  async reconcile(): Promise<void> {
    this.wake();
    if (this.#isBegun) this.#heard(everything);
    await this.#quiet();
  }

  async #quiet(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    if (this.#readiness.failure !== undefined) throw this.#readiness.failure;
  }

  /** Calls the listener after each look at files that may have changed, until it is removed. */
  onLooked(listener: (looked: Looked) => void): () => void {
    this.start();
    return this.#looked.add(listener);
  }

  /** To be called when the index turned out to be damaged: it is thrown away and built again. */
  rebuild(): void {
    this.wake();
    this.#damaged = true;
    this.#readiness.clear();
    this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closing = new VaultError('cancelled', 'The vault is being closed.');
    this.#pending.takeAll().fail(closing);
    this.#wanted.fail(closing);
    this.#stopListening?.();
    await this.#ports.scanner.close();
    await this.#running;
    await this.#store.close();
  }

  /** Notes what a report says has changed, and starts the work. */
  #heard(report: WatchReport): void {
    const isIndexed = (path: VaultPath): boolean => !isHidden(path);
    this.#pending.add(report.paths.filter(isIndexed), report.folders.filter(isIndexed));
    if (this.#isAsleep) {
      const isTooMuch = this.#pending.size > limits.asleepPathsMax;
      this.#walkWanted ||= isTooMuch || (report.reconcile && report.isRoutine !== true);
      this.#walkLater ||= report.reconcile;
      if (this.#walkWanted) this.#pending.takeAll(); // The walk finds it; nobody waits for it now.
      this.#looked.tell(report.reconcile ? 'all' : [...report.paths, ...report.folders]);
      return;
    }
    if (report.reconcile) this.#walkWanted = true;
    if (this.#readiness.failure !== undefined) {
      // The failure may be over (an unmounted vault, a full disk): try again from the beginning.
      this.#readiness.restart();
      this.#walkWanted = true;
    }
    if (this.#hasWork()) this.#run();
  }

  /** Starts the loop that does the work, unless it is running. */
  #run(): void {
    if (this.#running !== undefined || this.#closed) return;
    this.#running = this.#work()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
        if (!this.#hasWork()) this.#readiness.caughtUp();
        this.#readiness.wakeAll();
        // A report may have come after the loop last looked for work.
        if (this.#readiness.failure === undefined && this.#hasWork()) this.#run();
      });
  }

  #hasWork(): boolean {
    const isWanted = this.#damaged || this.#walkWanted || this.#walkLater || this.#textWanted;
    return isWanted || this.#wanted.isAny || this.#pending.size > 0;
  }

  /** The loop: does the most urgent piece of work, until there is none. */
  async #work(): Promise<void> {
    // The watcher listens before the walk begins, so that no change is missed.
    this.#stopListening ??= await this.#ports.watcher?.listen((report) => this.#heard(report));
    while (!this.#closed && this.#hasWork()) {
      if (this.#damaged) {
        [this.#damaged, this.#walkWanted] = [false, true];
        this.#rebuilds++;
        await this.#store.renew();
      }
      if (!this.#walkWanted && this.#pending.size === 0) {
        this.#readiness.caughtUp();
        [this.#walkWanted, this.#walkLater] = [this.#walkLater, false];
      }
      // Files that a caller waits for come before everything but the first walk.
      const mayLook = this.isReady('names');
      if (mayLook && this.#wanted.isAny) await this.#lookBetween();
      else if (mayLook && this.#pending.isAwaited) await this.#look();
      else if (this.#walkWanted) await this.#withLease(() => this.#walk());
      else if (this.#pending.hasFolders) await this.#walkFolder();
      else if (this.#pending.isBurst) await this.#lookAtBurst();
      else if (this.#pending.hasFiles) await this.#look();
      else await this.#withLease(() => this.#fillText());
    }
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    if (isIndexDamage(error) && this.#rebuilds < keeping.rebuildsMax) this.rebuild();
    else this.#giveUp(error);
  }

  /** Ends the work with a failure, which goes to every call that waits for the index. */
  #giveUp(error: unknown): void {
    this.#failedMs = this.#ports.clock.nowMs();
    this.#pending.takeAll().fail(error);
    this.#wanted.fail(error);
    const advice = 'Indexing failed; see the log, and run "vaultdoor check".';
    this.#readiness.fail(
      error instanceof VaultError ? error : new VaultError('internal', advice, { cause: error }),
    );
  }

  /** `withLease`; while it waits, this process reports how far the shared index is. */
  async #withLease(work: () => Promise<void>): Promise<void> {
    const store = await this.store();
    const wait = async (): Promise<boolean> => {
      if (this.#closed) return false;
      if (!this.isReady('text')) {
        const { indexed, notes } = await store.status(wholeVault);
        this.#readiness.report({ stage: 'facts', done: indexed, total: notes });
      }
      // Single files need no lease. A burst is left to its holder, unless someone waits.
      const { hasFiles, isAwaited, isBurst } = this.#pending;
      const mayLook = this.#wanted.isAny || (hasFiles && (isAwaited || !isBurst));
      if (this.isReady('names') && mayLook) await this.#lookBetween();
      else await this.#readiness.sleep(keeping.leaseRetryMs);
      return true;
    };
    await withLease(store, { wait, work });
  }

  async #walk(): Promise<void> {
    this.#walkWanted = false;
    this.#walkLater = false;
    // The walk also finds what is pending.
    const looks = this.#pending.takeAll();
    await looks.run(async () => this.#pending.addFiles(looks, await this.#walkVault()));
    this.#looked.tell('all');
  }

  /** Walks the whole vault. Only the first walk also reads facts; later ones answer what to look at. */
  async #walkVault(): Promise<readonly VaultPath[]> {
    const store = await this.store();
    const unread = Array.from(this.#looker.unread.keys());
    let seen = 0;
    if (!this.isReady('facts')) this.#readiness.report({ stage: 'walking', done: 0, total: 0 });
    const stale = await this.#builder.walkVault(store, async (count) => {
      seen += count;
      if (!this.isReady('facts'))
        this.#readiness.report({ stage: 'walking', done: seen, total: 0 });
      if (this.isReady('names')) await this.#lookBetween();
    });
    // What this process changed during the walk may not have been seen by it.
    while (this.#pending.isAwaited) await this.#look();
    this.#readiness.complete('names');
    this.#textWanted = true;
    if (this.isReady('facts')) {
      // A file that still cannot be read has no facts, so it is among the stale ones.
      const stillStale = new Set(stale);
      for (const path of unread) if (!stillStale.has(path)) this.#looker.unread.delete(path);
      return stale;
    }
    await this.#builder.readFacts(store, stale, async (done) => {
      this.#readiness.report({ stage: 'facts', done, total: stale.length });
      await this.#lookBetween();
    });
    this.#readiness.complete('facts');
    this.#readiness.report({ stage: 'text', done: 0, total: 0 });
    return [];
  }

  /** Walks a folder that came, went or was replaced; or notes that all must be walked. */
  async #walkFolder(): Promise<void> {
    const looks = this.#pending.takeFolder();
    const folder = looks?.paths[0];
    if (looks === undefined || folder === undefined) return;
    await looks.run(async () => {
      const store = await this.store();
      const walked = await this.#builder.walkFolder(store, folder, () => this.#lookBetween());
      if (walked === undefined) {
        this.#walkWanted = true;
        this.#pending.addFolder(looks, folder);
      } else this.#pending.addFiles(looks, walked);
    });
    this.#looked.tell([folder]);
  }

  /** Looks at files that have changed during a walk, and reads facts that callers wait for. */
  async #lookBetween(): Promise<void> {
    while (this.#pending.hasFiles || this.#wanted.isAny) {
      if (this.#pending.hasFiles) await this.#look();
      if (!this.#wanted.isAny) continue;
      const store = await this.store();
      await this.#wanted.read((paths) => this.#builder.readWanted(store, paths));
    }
  }

  /** Looks at the next few pending files; the cost does not depend on the size of the vault. */
  async #look(looks = this.#pending.takeFiles(keeping.lookPaths)): Promise<void> {
    await looks.run(async () => this.#looker.lookAt(await this.store(), looks));
    this.#looked.tell(looks.paths);
  }

  /** Looks at a burst, unless another process does: then only the comparison with the index is left. */
  async #lookAtBurst(): Promise<void> {
    const store = await this.store();
    if (!(await store.tryLease())) return this.#readiness.sleep(keeping.burstRetryMs);
    const bounds = { batch: keeping.lookPaths, isOver: () => this.#closed };
    const looked = lookInPairs(this.#pending, bounds, (looks) => this.#look(looks));
    await looked.finally(() => store.releaseLease());
  }

  async #fillText(): Promise<void> {
    const store = await this.store();
    const { searchable, notes } = await store.status(wholeVault);
    this.#textWanted = await this.#builder.fillText(store, async (done) => {
      if (!this.isReady('text')) {
        this.#readiness.report({ stage: 'text', done: searchable + done, total: notes });
      }
      await this.#lookBetween();
    });
    if (!this.#textWanted) this.#readiness.report({ stage: 'ready', done: notes, total: notes });
  }
}
