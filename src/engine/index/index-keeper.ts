import { Listeners } from '../../base/listeners.ts';
import { isThreadDeath } from '../../base/vault-error.ts';
import { isHidden, type VaultPath } from '../../base/vault-path.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import { type IndexStore, isIndexDamage, isIndexUnusable } from '../ports/index-store.ts';
import type { ScanWant, WalkSummary, WatchReport } from '../ports/ports.ts';
import type { WrittenFile } from '../text/written-file.ts';
import { BurstTurn } from './burst-turn.ts';
import { CallersFirst } from './callers-first.ts';
import { FileLooker } from './file-looker.ts';
import { IndexBuilder } from './index-builder.ts';
import { IndexReadiness, type IndexWait } from './index-readiness.ts';
import {
  closing,
  everything,
  type IndexKeeperPorts,
  keeping,
  type Looked,
} from './keeper-ports.ts';
import { KeeperSleep } from './keeper-sleep.ts';
import { KeptStore } from './kept-store.ts';
import { lookInPairs } from './look-in-pairs.ts';
import { PendingLooks } from './pending-looks.ts';
import { type FindLacking, type SomeWait, WantedFacts } from './wanted-facts.ts';
import { WholeVault } from './whole-vault.ts';
import { withLease } from './with-lease.ts';

/**
 * Keeps the index equal to the disk: one walk at the start, then what the watcher reports. To "look
 * at" a file means to compare it with the index and to read it if it has changed. One loop (`#work`)
 * does one piece of work at a time; everything else only notes what there is to do and starts it.
 * Several processes may share an index: the one with the lease does walks and full text.
 */
export class IndexKeeper {
  readonly #ports: IndexKeeperPorts;
  readonly #pending = new PendingLooks();
  readonly #wanted = new WantedFacts();
  readonly #looker: FileLooker;
  readonly #builder: IndexBuilder;
  readonly #readiness: IndexReadiness;
  readonly #callers: CallersFirst;
  readonly #whole: WholeVault;
  readonly #burst: BurstTurn;
  readonly #looked = new Listeners<Looked>();
  readonly #store: KeptStore;
  readonly #sleep: KeeperSleep;
  /** Whether the whole vault has to be walked, and whether files may lack their full text. */
  #walkWanted = true;
  #textWanted = false;
  #rebuilds = 0;
  /** How often a thread has died since all work was done. */
  #deaths = 0;
  #failedMs = 0;
  #running: Promise<void> | undefined;
  #isBegun = false;
  #closed = false;
  #stopListening: (() => void) | undefined;

  constructor(ports: IndexKeeperPorts) {
    this.#ports = ports;
    this.#looker = new FileLooker(ports, this.#pending);
    this.#builder = new IndexBuilder(ports.scanner, this.#looker);
    this.#readiness = new IndexReadiness(ports);
    this.#callers = new CallersFirst(ports.clock, this.#readiness, {
      pending: this.#pending,
      wanted: this.#wanted,
      look: () => this.#look(),
      readWanted: async (...files) => this.#builder.readWanted(await this.store(), ...files),
    });
    this.#whole = new WholeVault({
      builder: this.#builder,
      looker: this.#looker,
      readiness: this.#readiness,
      callers: this.#callers,
    });
    this.#burst = new BurstTurn(ports.clock);
    this.#store = new KeptStore(ports.openStore, {
      onOther: () => {
        this.#readiness.clear();
        this.#walkWanted = true;
      },
      onDeath: () => {
        this.#sleep.interrupt();
        this.#run();
      },
    });
    this.#sleep = new KeeperSleep(ports, this.#pending, this.#readiness, this.#store);
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
    return this.#isBegun && !this.#readiness.isBuilt('facts');
  }

  /** Begins to index in the background. Calling it again only wakes the vault. */
  start(): void {
    if (this.#isBegun) return void this.wake();
    this.#isBegun = true;
    this.#run();
  }

  /** The store, opened at the first call. It may still be incomplete: see `wait`. */
  async store(): Promise<IndexStore> {
    this.wake();
    return this.#store.get();
  }

  /** Asks the index as it is now. While it is built for the first time, that pauses. */
  async ask<T>(question: (store: IndexStore) => Promise<T>): Promise<T> {
    const store = await this.store();
    if (this.#readiness.isBuilt('text')) return question(store);
    return this.#callers[this.isReady('names') ? 'pause' : 'ahead'].during(() => question(store));
  }

  /** Closes the index until the next question, if all is done. See `KeeperSleep`. */
  async sleep(): Promise<void> {
    if (this.#running === undefined && !this.#hasWork() && !this.#closed) await this.#sleep.begin();
  }

  /** Ends `sleep`; returns whether questions have to wait until what changed was looked at. */
  wake({ looksFirst = true } = {}): boolean {
    if (this.#sleep.end(looksFirst)) this.#run();
    return this.#readiness.isBehind;
  }

  /** Waits until a part is complete, and answers whether it is. Fails as `IndexReadiness.wait`. */
  async wait(part: IndexPart, { waitMs, ...options }: IndexWait): Promise<boolean> {
    this.start();
    const nowMs = this.#ports.clock.nowMs();
    const { failure } = this.#readiness;
    if (failure?.code === 'vault_not_found') {
      await this.#looker.checkVault(); // It was away and has come back.
      if (this.#readiness.failure === failure) this.#heard(everything);
    }
    // Its disk was full, for example, and may have room by now.
    const mayBeOver = isIndexUnusable(failure) || isThreadDeath(failure);
    if (mayBeOver && nowMs - this.#failedMs >= keeping.retryMs) this.#heard(everything);
    return this.#readiness.wait(part, { ...options, endMs: nowMs + waitMs });
  }

  /**
   * Waits until the index has what a question needs of a part, and answers whether it has. `find` reads
   * all files that the index lacks, and what it finds is parsed first; `ahead` does so before a walk.
   */
  async waitForSome(part: ScanWant, find: FindLacking, wait: SomeWait): Promise<boolean> {
    const { ahead, ...options } = wait;
    const finding = { ...this.#ports, ...options };
    if (await this.#whole.lookAhead(() => this.store(), ahead, finding)) return true;
    const found = await this.#callers.pause.during(async () => {
      if (!(await this.wait('names', options))) return undefined;
      if (this.isReady(part)) return 'all';
      return find(await this.store(), finding);
    });
    if (found === undefined) return false;
    if (found === 'all' || this.isReady(part)) return this.wait(part, options);
    if (this.#closed) throw closing();
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

  /**
   * Has changed files looked at first, and waits; at once before the first walk, which finds them. Those
   * that are `written` are not read, unless they change again before that.
   */
  refresh(paths: readonly VaultPath[], written: readonly WrittenFile[] = []): Promise<void> {
    const indexed = paths.filter((path) => !isHidden(path));
    if (indexed.length === 0 || !this.#isBegun) return Promise.resolve();
    if (this.#closed) return Promise.reject(closing());
    this.wake();
    const looked = this.#pending.wait(indexed, written);
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

  /** Calls the listener after each look at files that may have changed. */
  onLooked(listener: (looked: Looked) => void): () => void {
    if (!this.#isBegun) this.start();
    return this.#looked.add(listener);
  }

  /** To be called when the index is damaged, or (`inMemory`) its file unusable: it is built again. */
  rebuild({ inMemory = false } = {}): void {
    if (inMemory && !this.#store.moveToMemory()) return;
    if (!this.#store.isDiscarded) this.#rebuilds++;
    this.#store.discard();
    this.#readiness.clear();
    this.#walkWanted = true;
    this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callers.close();
    this.#readiness.fail(closing());
    this.#stopListening?.();
    await this.#ports.scanner.close();
    await this.#running;
    this.#callers.close(); // The last piece of work may have left someone waiting.
    await this.#store.end();
  }

  /** Notes what a report says has changed, and starts the work. */
  #heard(report: WatchReport): void {
    if (this.#closed) return;
    this.#pending.add(report.paths, report.folders);
    if (this.#sleep.isAsleep) {
      this.#looked.tell(report.reconcile ? 'all' : [...report.paths, ...report.folders]);
      if (!this.#sleep.heard(report)) return;
      this.wake({ looksFirst: false }); // As awake: questions do not wait for a burst.
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
    if (this.#sleep.isAsleep) return false;
    const isWanted =
      this.#store.isDiscarded || this.#walkWanted || this.#textWanted || this.#wanted.isAny;
    return isWanted || this.#pending.size > 0 || this.#readiness.isBehind;
  }

  async #catchUp(): Promise<void> {
    const next = await this.#sleep.catchUp();
    if (next === 'look') await (this.#pending.hasFolders ? this.#walkFolder() : this.#look());
    this.#walkWanted ||= next === 'walk';
  }

  /** The loop: does the most urgent piece of work, until there is none. */
  async #work(): Promise<void> {
    if (this.#hasWork()) await this.#store.get();
    if (!this.isReady('names')) await this.#callers.letAhead();
    // The watcher listens before the walk begins, so that no change is missed.
    this.#stopListening ??= await this.#ports.watcher?.listen((report) => this.#heard(report));
    while (!this.#closed && this.#hasWork()) {
      if (this.#store.isDiscarded) await this.#store.renew();
      // Files that a caller waits for come before everything but the first walk.
      const mayLook = this.isReady('names');
      if (this.#readiness.isBehind && !this.#walkWanted) await this.#catchUp();
      else if (mayLook && this.#wanted.isAny) await this.#callers.lookBetween();
      else if (mayLook && this.#pending.isAwaited) await this.#look();
      else if (this.#walkWanted) await this.#withLease((store) => this.#walk(store));
      else if (this.#pending.hasFolders) await this.#walkFolder();
      else if (this.#pending.isBurst) await this.#lookAtBurst();
      else if (this.#pending.hasFiles) await this.#look();
      else {
        await this.#withLease(async (store) => {
          this.#textWanted = await this.#whole.fillText(store);
        });
      }
    }
    this.#deaths = 0;
    if (!this.#closed) await this.#sleep.move();
  }

  #failed(error: unknown): void {
    const isOfIndex = isIndexUnusable(error) || isIndexDamage(error);
    // A question may have given this index up already, and the next one is not opened yet.
    if (this.#closed || (isOfIndex && this.#store.isDiscarded)) return;
    // In memory it has a limit; beyond that, indexing fails.
    if (isIndexUnusable(error) && this.#store.moveToMemory()) this.rebuild();
    else if (isIndexDamage(error) && this.#rebuilds < keeping.rebuildsMax) this.rebuild();
    else if (isThreadDeath(error) && this.#deaths < keeping.deathsMax) {
      this.#deaths++;
      this.#sleep.interrupt();
      this.#walkWanted = true; // What was being looked at is not remembered.
    } else this.#giveUp(error);
  }

  /** Ends the work with a failure, which goes to every call that waits for the index. */
  #giveUp(error: unknown): void {
    this.#failedMs = this.#ports.clock.nowMs();
    this.#callers.fail(error);
    this.#store.leaveMemory(); // An index that is too large for it is tried again in its file.
    this.#readiness.fail(error);
  }

  /** `withLease`; while it waits, this process reports how far the shared index is. */
  async #withLease(work: (store: IndexStore) => Promise<void>): Promise<void> {
    const store = await this.store();
    const wait = async (): Promise<boolean> => {
      if (this.#closed) return false;
      if (!this.isReady('text')) await this.#readiness.reportOf(store);
      // Single files need no lease. A burst is left to its holder, unless someone waits.
      const { hasFiles, isAwaited, isBurst } = this.#pending;
      const mayLook = this.#wanted.isAny || (hasFiles && (isAwaited || !isBurst));
      if (this.isReady('names') && mayLook) await this.#callers.lookBetween();
      else await this.#readiness.sleep(keeping.leaseRetryMs);
      return true;
    };
    await withLease(store, { wait, work: () => work(store) });
  }

  async #walk(store: IndexStore): Promise<void> {
    this.#walkWanted = false;
    const looks = this.#pending.takeAll(); // The walk also finds what is pending.
    await looks.run(async () => this.#pending.addFiles(looks, await this.#whole.walk(store)));
    this.#textWanted = true;
    this.#looked.tell('all');
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
  async #look(looks = this.#pending.takeFiles(keeping.lookPaths)): Promise<void> {
    await looks.run(async () => this.#looker.lookAt(await this.store(), looks));
    this.#looked.tell(looks.paths);
  }

  /** Looks at a burst, unless another process does: then only the comparison with the index is left. */
  async #lookAtBurst(): Promise<void> {
    const isOver = (): boolean =>
      this.#closed || this.#store.isDiscarded || this.#walkWanted || this.#pending.hasFolders;
    const bounds = { batch: 2 * keeping.lookPaths, isOver }; // Fewer transactions write fewer pages.
    await this.#burst.take(await this.store(), {
      all: () => lookInPairs(this.#pending, bounds, (looks) => this.#look(looks)),
      some: () => this.#look(),
      wait: (ms) => this.#readiness.sleep(ms),
    });
  }
}
