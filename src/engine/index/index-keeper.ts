import { Listeners } from '../../base/listeners.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isHidden, type VaultPath } from '../../base/vault-path.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import { type IndexStore, isIndexDamage, isIndexUnusable } from '../ports/index-store.ts';
import type { ScanWant, WalkSummary, WatchReport } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { BurstTurn } from './burst-turn.ts';
import { CallersFirst, lookPaths } from './callers-first.ts';
import { FileLooker } from './file-looker.ts';
import { HeldStore } from './held-store.ts';
import { IndexBuilder } from './index-builder.ts';
import { IndexReadiness, type IndexWait } from './index-readiness.ts';
import type { IndexKeeperPorts, Looked } from './keeper-ports.ts';
import { lookInPairs } from './look-in-pairs.ts';
import { PendingLooks } from './pending-looks.ts';
import { type FindLacking, WantedFacts } from './wanted-facts.ts';
import { withLease } from './with-lease.ts';

const everything: WatchReport = { paths: [], folders: [], reconcile: true };
const leaseRetryMs = 100;
/** An index that could not be used is tried again by a call that needs it, after this time. */
const unusableRetryMs = 5_000;
/** How often a damaged index is rebuilt; a disk that damages it again and again is an error. */
const rebuildsMax = 3;

/**
 * Keeps the index equal to the disk: one walk at the start, then what the watcher reports. To "look
 * at" a file means to compare it with the index and to read it if it has changed. One loop
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
  readonly #callers: CallersFirst;
  readonly #burst: BurstTurn;
  readonly #looked = new Listeners<Looked>();
  readonly #held: HeldStore;
  /** Whether the whole vault has to be walked. */
  #walkWanted = true;
  /** Whether files may lack their full text. */
  #textWanted = false;
  #damaged = false;
  #rebuilds = 0;
  #failedMs = 0;
  #running: Promise<void> | undefined;
  #isBegun = false;
  #closed = false;
  #stopListening: (() => void) | undefined;

  constructor(ports: IndexKeeperPorts) {
    this.#ports = ports;
    this.#held = new HeldStore(ports.openStore);
    this.#looker = new FileLooker(ports, this.#pending);
    this.#builder = new IndexBuilder(ports.scanner, this.#looker);
    this.#readiness = new IndexReadiness(ports);
    this.#callers = new CallersFirst(ports.clock, this.#readiness, {
      pending: this.#pending,
      wanted: this.#wanted,
      look: () => this.#look(),
      readWanted: async (...files) => this.#builder.readWanted(await this.store(), ...files),
    });
    this.#burst = new BurstTurn(ports.clock);
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
    return this.#held.get();
  }

  /** Asks the index as it is now. While it is built for the first time, that pauses. */
  async ask<T>(question: (store: IndexStore) => Promise<T>): Promise<T> {
    const store = await this.store();
    return this.isReady('text')
      ? question(store)
      : this.#callers.pause.during(() => question(store));
  }

  /**
   * Waits until a part is complete, at most `waitMs`, and answers whether it is. Fails when
   * indexing failed, and with `cancelled` when the signal is aborted. Indexing goes on in any case.
   */
  async wait(part: IndexPart, { waitMs, ...options }: IndexWait): Promise<boolean> {
    this.start();
    const nowMs = this.#ports.clock.nowMs();
    const { failure } = this.#readiness;
    if (failure?.code === 'vault_not_found') await this.#tryAgain(failure);
    // Its disk was full, for example, and may have room by now.
    const isLater = nowMs - this.#failedMs >= unusableRetryMs;
    if (isIndexUnusable(failure) && isLater) this.#heard(everything);
    return this.#readiness.wait(part, { ...options, endMs: nowMs + waitMs });
  }

  /**
   * Waits until the index has what a question needs of a part, and answers whether it has. While a
   * vault is new, `find` reads all files that the index lacks, and what it finds is parsed first.
   */
  async waitForSome(part: ScanWant, find: FindLacking, options: IndexWait): Promise<boolean> {
    const found = await this.#callers.pause.during(async () => {
      if (!(await this.wait('names', options))) return undefined;
      if (this.isReady(part)) return 'all';
      return find(await this.store(), { ...this.#ports, ...options });
    });
    if (found === undefined) return false;
    if (found === 'all' || this.isReady(part)) return this.wait(part, options);
    // Also where none was found: what changed in the meantime has to be looked at.
    const read = this.#wanted.wait(found, part);
    this.#run();
    await read;
    return true;
  }

  /** Resolves when every change on disk before the call is in the index. */
  async settle(): Promise<void> {
    this.start();
    await this.#ports.watcher?.flush();
    while (this.#running !== undefined) await this.#running;
    if (this.#readiness.failure !== undefined) throw this.#readiness.failure;
  }

  /** As `settle`, but waits at most `waitMs`. A failure is left to the next question. */
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
    const looked = this.#pending.wait(indexed);
    if (!this.isReady('text')) this.#ports.scanner.hurry().catch(() => undefined);
    this.#heard({ paths: [], folders: [], reconcile: false }); // Only starts the work.
    return looked;
  }

  /** Walks the whole vault again, if indexing has begun, and waits until nothing is left to do. */
  async reconcile(): Promise<void> {
    if (this.#isBegun) this.#heard(everything);
    while (this.#running !== undefined) await this.#running;
    if (this.#readiness.failure !== undefined) throw this.#readiness.failure;
  }

  /**
   * Calls the listener after each look at files that may have changed; the returned function
   * removes it. The listener hears of every change on disk sooner or later, even if the platform
   * does not report it.
   */
  onLooked(listener: (looked: Looked) => void): () => void {
    this.start();
    return this.#looked.add(listener);
  }

  /** To be called when the index turned out to be damaged: it is thrown away and built again. */
  rebuild(): void {
    this.#damaged = true;
    this.#readiness.clear();
    this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callers.close();
    this.#stopListening?.();
    await this.#ports.scanner.close();
    await this.#running;
    await this.#held.close();
  }

  /** Notes what a report says has changed, and starts the work. */
  #heard(report: WatchReport): void {
    const isIndexed = (path: VaultPath): boolean => !isHidden(path);
    this.#pending.add(report.paths.filter(isIndexed), report.folders.filter(isIndexed));
    if (report.reconcile) this.#walkWanted = true;
    if (this.#readiness.failure !== undefined) {
      // The failure may be over (an unmounted vault, a full disk): try again from the beginning.
      this.#readiness.restart();
      this.#walkWanted = true;
    }
    if (this.#hasWork()) this.#run();
  }

  /** Starts again when the vault was away and has come back. */
  async #tryAgain(failure: VaultError): Promise<void> {
    await this.#looker.checkVault();
    if (this.#readiness.failure === failure) this.#heard(everything);
  }

  /** Starts the loop that does the work, unless it is running. */
  #run(): void {
    if (this.#closed) this.#callers.close();
    else if (this.#running !== undefined) this.#readiness.wakeAll(); // It may pause for callers.
    if (this.#closed || this.#running !== undefined) return;
    this.#running = this.#work()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
        this.#readiness.wakeAll();
        // A report may have come after the loop last looked for work.
        if (this.#readiness.failure === undefined && this.#hasWork()) this.#run();
      });
  }

  #hasWork(): boolean {
    const isWanted = this.#damaged || this.#walkWanted || this.#textWanted || this.#wanted.isAny;
    return isWanted || this.#pending.hasFiles || this.#pending.hasFolders;
  }

  /** The loop: does the most urgent piece of work, until there is none. */
  async #work(): Promise<void> {
    const opening = this.#damaged ? undefined : this.store();
    opening?.catch(() => undefined); // It is awaited below.
    // The watcher listens before the walk begins, so that no change is missed.
    this.#stopListening ??= await this.#ports.watcher?.listen((report) => this.#heard(report));
    await opening;
    while (!this.#closed && this.#hasWork()) {
      if (this.#damaged) await this.#reopen();
      // Files that a caller waits for come before everything but the first walk.
      const mayLook = this.isReady('names');
      if (mayLook && this.#wanted.isAny) await this.#callers.lookBetween();
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
    const mayMove = isIndexUnusable(error) && this.#held.moveToMemory();
    if (mayMove || (isIndexDamage(error) && this.#rebuilds < rebuildsMax)) this.rebuild();
    else this.#giveUp(error);
  }

  async #reopen(): Promise<void> {
    this.#damaged = false;
    this.#walkWanted = true;
    this.#rebuilds++;
    await this.#held.replace();
  }

  /** Ends the work with a failure, which goes to every call that waits for the index. */
  #giveUp(error: unknown): void {
    this.#failedMs = this.#ports.clock.nowMs();
    this.#callers.fail(error);
    this.#held.leaveMemory(); // It was too large for the memory.
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
      if (!this.isReady('text')) await this.#readiness.reportOf(store);
      // Single files need no lease. A burst is left to its holder, unless someone waits.
      const { hasFiles, isAwaited, isBurst } = this.#pending;
      const mayLook = this.#wanted.isAny || (hasFiles && (isAwaited || !isBurst));
      if (this.isReady('names') && mayLook) await this.#callers.lookBetween();
      else await this.#readiness.sleep(leaseRetryMs);
      return true;
    };
    await withLease(store, { wait, work });
  }

  async #walk(): Promise<void> {
    this.#walkWanted = false;
    // The walk also finds what is pending.
    const looks = this.#pending.takeAll();
    await looks.run(async () => this.#pending.addFiles(looks, await this.#walkVault()));
    this.#looked.tell('all');
  }

  /**
   * Walks the whole vault. The first walk also reads the facts of all changed files. Later ones
   * answer these files instead, to be looked at afterwards, so that the index can be asked in the
   * meantime.
   */
  async #walkVault(): Promise<readonly VaultPath[]> {
    const store = await this.store();
    const unread = Array.from(this.#looker.unread.keys());
    const stale = await this.#builder.walkVault(store, async (walked) => {
      if (!this.isReady('facts')) this.#readiness.reportWalk(walked);
      if (this.isReady('names')) await this.#callers.lookBetween();
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
    await this.#callers.first();
    this.#readiness.report({ stage: 'facts', done: 0, total: stale.length });
    await this.#builder.readFacts(store, stale, async (done) => {
      this.#readiness.report({ stage: 'facts', done, total: stale.length });
      await this.#callers.first();
    });
    this.#readiness.complete('facts');
    this.#readiness.report({ stage: 'text', done: 0, total: 0 });
    return [];
  }

  /** Walks a folder that came, went or was replaced; or notes that the vault must be walked. */
  async #walkFolder(): Promise<void> {
    const looks = this.#pending.takeFolder();
    const folder = looks?.paths[0];
    if (looks === undefined || folder === undefined) return;
    await looks.run(async () => {
      const store = await this.store();
      const walked = await this.#builder.walkFolder(store, folder, () =>
        this.#callers.lookBetween(),
      );
      if (walked === undefined) {
        this.#walkWanted = true;
        this.#pending.addFolder(looks, folder);
      } else this.#pending.addFiles(looks, walked);
    });
    this.#looked.tell([folder]);
  }

  /** Looks at the next few pending files; the cost does not depend on the size of the vault. */
  async #look(looks = this.#pending.takeFiles(lookPaths)): Promise<void> {
    await looks.run(async () => this.#looker.lookAt(await this.store(), looks));
    this.#looked.tell(looks.paths);
  }

  /** Looks at a burst, unless another process does: then only the comparison with the index is left. */
  async #lookAtBurst(): Promise<void> {
    const isOver = (): boolean =>
      this.#closed || this.#damaged || this.#walkWanted || this.#pending.hasFolders;
    const bounds = { batch: 2 * lookPaths, isOver }; // Fewer transactions write fewer pages.
    await this.#burst.take(await this.store(), {
      all: () => lookInPairs(this.#pending, bounds, (looks) => this.#look(looks)),
      some: () => this.#look(),
      wait: (ms) => this.#readiness.sleep(ms),
    });
  }

  async #fillText(): Promise<void> {
    await this.#callers.first();
    const store = await this.store();
    const { searchable, notes } = await store.status(wholeVault);
    this.#textWanted = await this.#builder.fillText(store, async (done) => {
      const progress = { stage: 'text', done: searchable + done, total: notes } as const;
      if (!this.isReady('text')) this.#readiness.report(progress);
      await this.#callers.first();
    });
    if (this.#textWanted) return;
    this.#callers.pause.reset();
    this.#readiness.report({ stage: 'ready', done: notes, total: notes });
  }
}
