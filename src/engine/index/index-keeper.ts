import { Listeners } from '../../base/listeners.ts';
import { VaultError } from '../../base/vault-error.ts';
import { isHidden, type VaultPath } from '../../base/vault-path.ts';
import type { IndexPart, IndexProgress } from '../ports/index-progress.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { WalkSummary, WatchReport } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import { FileLooker, noWalk } from './file-looker.ts';
import { isDamage } from './index-damage.ts';
import type { IndexKeeperPorts } from './index-keeper-ports.ts';
import { News } from './news.ts';
import { PendingLooks } from './pending-looks.ts';
import { withFolder } from './walk-summary.ts';

/** Paths that were looked at, files or folders; or all, by a walk. */
export type Looked = readonly VaultPath[] | 'all';

const everything: WatchReport = { paths: [], folders: [], reconcile: true };
const textChunk = 16_000;
/**
 * So few files are looked at together: their scan does not wait for a long one, and questions to
 * the index wait for no more than these while thousands of files change.
 */
const lookPaths = 32;
const leaseRetryMs = 100;
/** A disk that damages the index again and again is told about, not rebuilt on for ever. */
const rebuildsMax = 3;

/**
 * Keeps the index equal to the disk: one walk at the start, then what the watcher reports, one
 * piece of work at a time. Begins when it is told to, or first waited for. Never blocks a caller
 * that does not ask for the index. Several processes may keep one index: walks and full text are
 * done by whoever holds the lease.
 */
export class IndexKeeper {
  readonly #ports: IndexKeeperPorts;
  readonly #pending = new PendingLooks();
  readonly #looker: FileLooker;
  readonly #news: News;
  readonly #looked = new Listeners<Looked>();
  #store: IndexStore | undefined;
  #walkWanted = true;
  #textWanted = false;
  #walks: number = noWalk;
  /** What a walk has finished; full text is there when the stage says so. */
  readonly #ready = new Set<Exclude<IndexPart, 'text'>>();
  #damaged = false;
  #rebuilds = 0;
  #running: Promise<void> | undefined;
  #failure: VaultError | undefined;
  #isBegun = false;
  #closed = false;
  #stopListening: (() => void) | undefined;
  #progress: IndexProgress = { stage: 'walking', done: 0, total: 0 };
  #summary: WalkSummary = { folders: 0, unreachable: [], refused: [] };

  constructor(ports: IndexKeeperPorts) {
    this.#ports = ports;
    this.#looker = new FileLooker(ports, this.#pending);
    this.#news = new News(ports.timers);
  }

  get progress(): IndexProgress {
    return this.#progress;
  }

  /** What the last walk saw beside files. */
  get summary(): WalkSummary {
    return this.#summary;
  }

  /** Files that could not be read when they were last scanned, with the reason. */
  get unread(): ReadonlyMap<VaultPath, string> {
    return this.#looker.unread;
  }

  /** Begins in the background, unless it has. */
  start(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#run();
  }

  /** The store, once it is open. Opening is quick; filling it is what `wait` is for. */
  async store(): Promise<IndexStore> {
    this.#store ??= await this.#ports.openStore({ fresh: false });
    return this.#store;
  }

  /**
   * Waits until the part is complete, at most `waitMs`. Answers whether it is; fails when
   * indexing itself failed or the signal was aborted. The work goes on either way.
   */
  async wait(
    part: IndexPart,
    options: {
      readonly waitMs: number;
      readonly signal?: AbortSignal;
      readonly onProgress?: (progress: IndexProgress) => void;
    },
  ): Promise<boolean> {
    this.start();
    const endMs = this.#ports.clock.nowMs() + options.waitMs;
    if (this.#failure?.code === 'vault_not_found') await this.#tryAgain(this.#failure);
    for (;;) {
      if (options.signal?.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
      if (this.#failure !== undefined) throw this.#failure;
      if (this.isReady(part)) return true;
      const leftMs = endMs - this.#ports.clock.nowMs();
      if (leftMs <= 0) return false;
      options.onProgress?.(this.#progress);
      await this.#news.next(Math.min(leftMs, 250));
    }
  }

  /** Resolves when everything that changed on disk before the call is in the index. */
  async settle(): Promise<void> {
    this.start();
    await this.#ports.watcher?.flush();
    while (this.#running !== undefined) await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Whether a part of the index is complete. */
  isReady(part: IndexPart): boolean {
    const isText = this.#progress.stage === 'ready' && this.#ready.has('facts');
    return part === 'text' ? isText : this.#ready.has(part);
  }

  /**
   * Looks at files that are known to have changed; does not wait for a long piece of other work. As
   * long as it has not begun there is nothing to do: the first walk will see them.
   */
  refresh(paths: readonly VaultPath[]): Promise<void> {
    const visible = paths.filter((path) => !isHidden(path));
    if (visible.length === 0 || !this.#isBegun) return Promise.resolve();
    const looked = this.#pending.wait(visible);
    this.#heard({ paths: [], folders: [], reconcile: false });
    return looked;
  }

  /** Walks the whole vault again, if it has begun. */
  async reconcile(): Promise<void> {
    if (this.#isBegun) this.#heard(everything);
    while (this.#running !== undefined) await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Calls back after each look at files that may have changed; the answer ends it. What changed on
   * disk is told sooner or later, whoever did it and whatever the platform reports.
   */
  onLooked(listener: (looked: Looked) => void): () => void {
    this.start();
    return this.#looked.add(listener);
  }

  /** Says that the index turned out damaged: it is thrown away and built anew. */
  damaged(): void {
    this.#damaged = true;
    this.#ready.clear();
    this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closing = new VaultError('cancelled', 'The vault is being closed.');
    this.#pending.takeAll().fail(closing);
    this.#stopListening?.();
    await this.#ports.scanner.close();
    await this.#running;
    await this.#store?.close();
  }

  #heard(report: WatchReport): void {
    const isSeen = (path: VaultPath): boolean => !isHidden(path);
    this.#pending.hear(report.paths.filter(isSeen), report.folders.filter(isSeen));
    if (report.reconcile) this.#walkWanted = true;
    if (this.#failure !== undefined) {
      // The vault may have been unmounted, the disk full: try again with everything.
      this.#failure = undefined;
      this.#ready.clear();
      this.#walkWanted = true;
    }
    if (this.#hasWork()) this.#run();
  }

  /** Begins anew when the vault that was away has come back. */
  async #tryAgain(failure: VaultError): Promise<void> {
    await this.#looker.checkVault();
    if (this.#failure === failure) this.#heard(everything);
  }

  /** Starts the one loop that does the work, unless it runs. */
  #run(): void {
    if (this.#running !== undefined || this.#closed) return;
    this.#running = this.#work()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
        this.#news.tell();
        // What was heard between the last look and here must not wait for the next event.
        if (this.#failure === undefined && this.#hasWork()) this.#run();
      });
  }

  #hasWork(): boolean {
    const { hasFiles, hasFolders } = this.#pending;
    return this.#damaged || this.#walkWanted || hasFiles || hasFolders || this.#textWanted;
  }

  async #work(): Promise<void> {
    // The watcher is on before the walk, so no change falls between.
    this.#stopListening ??= await this.#ports.watcher?.listen((report) => this.#heard(report));
    while (!this.#closed && this.#hasWork()) {
      if (this.#damaged) await this.#reopen();
      // Whoever waits for a few files does not wait for a walk, but for the first.
      const mayLook = this.isReady('names') && this.#pending.isAwaited;
      if (mayLook) await this.#look();
      else if (this.#walkWanted) await this.#withLease(() => this.#walk());
      else if (this.#pending.hasFolders) await this.#walkFolder();
      else if (this.#pending.hasFiles) await this.#look();
      else await this.#withLease(() => this.#fillText());
    }
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    if (isDamage(error) && this.#rebuilds < rebuildsMax) this.damaged();
    else this.#giveUp(error);
  }

  async #reopen(): Promise<void> {
    this.#damaged = false;
    this.#walkWanted = true;
    this.#rebuilds++;
    await this.#store?.close().catch(() => undefined); // It may be beyond closing.
    this.#store = undefined;
    this.#store = await this.#ports.openStore({ fresh: true });
  }

  #giveUp(error: unknown): void {
    this.#pending.takeAll().fail(error);
    const advice = 'Indexing failed; see the log, and run "vaultdoor check".';
    this.#failure =
      error instanceof VaultError ? error : new VaultError('internal', advice, { cause: error });
    this.#news.tell();
  }

  /**
   * Does work that only one process at a time should do. While another does it, its progress is
   * ours too: the index is shared. It is ours to do the moment that process ends or dies.
   */
  async #withLease(work: () => Promise<void>): Promise<void> {
    const store = await this.store();
    while (!(await store.tryLease())) {
      if (this.#closed) return;
      if (!this.isReady('text')) {
        const { indexed, notes } = await store.status(wholeVault);
        this.#report({ stage: 'facts', done: indexed, total: notes });
      }
      // What is known to have changed need not wait for others.
      if (this.isReady('facts') && this.#pending.hasFiles) await this.#look();
      else await this.#news.next(leaseRetryMs);
    }
    try {
      await work();
    } finally {
      await store.releaseLease();
    }
  }

  async #walk(): Promise<void> {
    this.#walkWanted = false;
    // The walk sees what is pending, too.
    const looks = this.#pending.takeAll();
    await looks.serve(async () => this.#pending.goOn(looks, await this.#walkAll()));
    this.#looked.tell('all');
  }

  /** Answers which files are left to be looked at. */
  async #walkAll(): Promise<readonly VaultPath[]> {
    const store = await this.store();
    const walk = ++this.#walks;
    const unread = Array.from(this.#looker.unread.keys());
    const stale: VaultPath[] = [];
    let seen = 0;
    if (!this.isReady('facts')) this.#report({ stage: 'walking', done: 0, total: 0 });
    this.#summary = await this.#ports.scanner.walk('', async (batch) => {
      for (const path of await store.seen(walk, batch.entries)) stale.push(path);
      seen += batch.count;
      if (!this.isReady('facts')) this.#report({ stage: 'walking', done: seen, total: 0 });
      if (this.isReady('names')) await this.#lookBetween();
    });
    await this.#looker.checkVault(); // Else a vault that was unmounted would empty the index.
    await store.endWalk(walk, '');
    this.#ready.add('names');
    this.#news.tell();
    this.#textWanted = true;
    if (this.isReady('facts')) {
      // What still cannot be read is among the stale ones.
      const isStale = new Set(stale);
      for (const path of unread) if (!isStale.has(path)) this.#looker.unread.delete(path);
      return stale;
    }
    await this.#scanFacts(stale);
    this.#ready.add('facts');
    this.#report({ stage: 'text', done: 0, total: 0 });
    return [];
  }

  /**
   * Walks a folder that came, went or was replaced. Where symlinks are followed, which of them is
   * depends on all others: then only a walk of the whole vault is right.
   */
  async #walkFolder(): Promise<void> {
    const looks = this.#pending.takeFolder();
    const folder = looks?.paths[0];
    if (looks === undefined || folder === undefined) return;
    await looks.serve(async () => {
      const walked = this.#summary.followsLinks ? undefined : await this.#walkInto(folder);
      if (walked === undefined) {
        this.#walkWanted = true;
        this.#pending.goOnInFolder(looks, folder);
      } else this.#pending.goOn(looks, walked);
    });
    this.#looked.tell([folder]);
  }

  /** Answers which files are left to be looked at; undefined when a symlink was followed. */
  async #walkInto(folder: VaultPath): Promise<readonly VaultPath[] | undefined> {
    const store = await this.store();
    const walk = ++this.#walks;
    const stale: VaultPath[] = [];
    await this.#looker.forgetFileAt(store, folder);
    const summary = await this.#ports.scanner.walk(folder, async (batch) => {
      for (const path of await store.seen(walk, batch.entries)) stale.push(path);
      await this.#lookBetween();
    });
    if (summary.followsLinks) return undefined;
    await this.#looker.checkVault();
    await store.endWalk(walk, folder);
    this.#summary = withFolder(this.#summary, folder, summary);
    return stale;
  }

  /** Reads links, tags and names of files. Files that change meanwhile get their turn in between. */
  async #scanFacts(paths: readonly VaultPath[]): Promise<void> {
    const store = await this.store();
    this.#looker.unread.clear();
    let done = 0;
    await this.#ports.scanner.scan(paths, ['facts'], async (batch) => {
      if (batch.notes !== undefined) await store.putNotes(batch.notes);
      await this.#looker.failedToRead(store, batch.failed);
      done += batch.count;
      this.#report({ stage: 'facts', done, total: paths.length });
      await this.#lookBetween();
    });
  }

  /** Looks at files that change while a walk or a long scan runs, which they need not wait for. */
  async #lookBetween(): Promise<void> {
    while (this.#pending.hasFiles) await this.#look();
  }

  /** Looks at a few files that were reported changed. Costs what they cost, not what the vault does. */
  async #look(): Promise<void> {
    const looks = this.#pending.takeFiles(lookPaths);
    await looks.serve(async () => this.#looker.lookAt(await this.store(), looks));
    this.#looked.tell(looks.paths);
  }

  /** Fills in missing full text. Files that change meanwhile get their turn between batches. */
  async #fillText(): Promise<void> {
    const store = await this.store();
    const paths = await store.lackingText(textChunk);
    const { searchable, notes } = await store.status(wholeVault);
    let done = 0;
    let put = 0;
    await this.#ports.scanner.scan(paths, ['text'], async (batch) => {
      if (batch.texts !== undefined) await store.putTexts(batch.texts);
      await this.#looker.failedToRead(store, batch.failed);
      put += batch.count - batch.failed.length;
      done += batch.count;
      if (!this.isReady('text')) {
        this.#report({ stage: 'text', done: searchable + done, total: notes });
      }
      await this.#lookBetween();
    });
    // Files that cannot be read stay without text; they are looked at again when they change.
    this.#textWanted = put > 0 && paths.length === textChunk;
    if (!this.#textWanted) this.#report({ stage: 'ready', done: notes, total: notes });
  }

  #report(progress: IndexProgress): void {
    this.#progress = progress;
    this.#news.tell();
  }
}
