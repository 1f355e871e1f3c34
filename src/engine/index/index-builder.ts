import { isInside, type VaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { Scanner, ScanWant, WalkSummary } from '../ports/ports.ts';
import { noWalk } from '../ports/records.ts';
import type { FileLooker } from './file-looker.ts';

/** Facts that callers wait for are read for this many files at a time: a short scan of the scanner. */
const wantedChunk = 64;
/** Full text is filled in for this many files at a time; then other work may come in between. */
const textChunk = 16_000;

/**
 * Does the long pieces of work for `IndexKeeper`: walks, facts and full text. Each is one method,
 * which calls `onBatch` after every batch and waits for it, so that single files can be looked at
 * in between. The keeper runs one of them at a time.
 */
export class IndexBuilder {
  readonly #scanner: Scanner;
  readonly #looker: FileLooker;
  /** The number of the last walk. */
  #walks: number = noWalk;
  #summary: WalkSummary = { folders: 0, unreachable: [], refused: [] };

  constructor(scanner: Scanner, looker: FileLooker) {
    this.#scanner = scanner;
    this.#looker = looker;
  }

  /** What walks have found besides files. */
  get summary(): WalkSummary {
    return this.#summary;
  }

  /** Brings the names in the index up to date. Answers the files whose facts are outdated. */
  async walkVault(
    store: IndexStore,
    onBatch: (walked: { readonly seen: number; readonly stale: number }) => Promise<void>,
  ): Promise<readonly VaultPath[]> {
    const walk = ++this.#walks;
    const stale: VaultPath[] = [];
    let seen = 0;
    await onBatch({ seen, stale: 0 });
    this.#summary = await this.#scanner.walk('', async (batch) => {
      for (const path of await store.seen(walk, batch.entries)) stale.push(path);
      seen += batch.count;
      await onBatch({ seen, stale: stale.length });
    });
    // A vault that was unmounted during the walk looks empty: `endWalk` would empty the index.
    await this.#looker.checkVault();
    await store.endWalk(walk, '');
    return stale;
  }

  /**
   * Does the same for one folder that came, went or was replaced. Answers undefined when symlinks
   * to folders are followed: which of several links to one place counts depends on the whole vault,
   * so only `walkVault` is right then.
   */
  async walkFolder(
    store: IndexStore,
    folder: VaultPath,
    onBatch: () => Promise<void>,
  ): Promise<readonly VaultPath[] | undefined> {
    if (this.#summary.followsLinks) return undefined;
    const walk = ++this.#walks;
    const stale: VaultPath[] = [];
    await this.#looker.forgetFileAt(store, folder);
    const summary = await this.#scanner.walk(folder, async (batch) => {
      for (const path of await store.seen(walk, batch.entries)) stale.push(path);
      await onBatch();
    });
    if (summary.followsLinks) return undefined;
    await this.#looker.checkVault();
    await store.endWalk(walk, folder);
    this.#summary = withFolder(this.#summary, folder, summary);
    return stale;
  }

  /** Reads links, tags, properties and names of files. */
  async readFacts(
    store: IndexStore,
    paths: readonly VaultPath[],
    onBatch: (done: number) => Promise<void>,
  ): Promise<void> {
    this.#looker.unread.clear();
    let done = 0;
    await this.#scanner.scan(paths, ['facts'], async (batch) => {
      if (batch.notes !== undefined) await store.putNotes(batch.notes);
      await this.#looker.forgetFailed(store, batch.failed);
      done += batch.count;
      await onBatch(done);
    });
  }

  /** Reads files that callers wait for, between two batches of the others. */
  async readWanted(
    store: IndexStore,
    paths: readonly VaultPath[],
    want: readonly ScanWant[],
  ): Promise<void> {
    for (let at = 0; at < paths.length; at += wantedChunk) {
      await this.#scanner.scan(paths.slice(at, at + wantedChunk), want, async (batch) => {
        if (batch.notes !== undefined) await store.putNotes(batch.notes);
        if (batch.texts !== undefined) await store.putTexts(batch.texts);
        await this.#looker.forgetFailed(store, batch.failed);
      });
    }
  }

  /** Fills in the full text of files that lack it. Answers whether more files may lack it. */
  async fillText(store: IndexStore, onBatch: (done: number) => Promise<void>): Promise<boolean> {
    const paths = await store.lackingText(textChunk);
    let done = 0;
    let put = 0;
    await this.#scanner.scan(paths, ['text'], async (batch) => {
      if (batch.texts !== undefined) await store.putTexts(batch.texts);
      await this.#looker.forgetFailed(store, batch.failed);
      put += batch.count - batch.failed.length;
      done += batch.count;
      await onBatch(done);
    });
    // Files that cannot be read stay without text: trying them again at once would never end.
    return put > 0 && paths.length === textChunk;
  }
}

/** The summary of the whole vault after one of its folders was walked again. */
function withFolder(whole: WalkSummary, folder: VaultPath, walked: WalkSummary): WalkSummary {
  const isElsewhere = (path: string): boolean => path !== folder && !isInside(path, folder);
  return {
    ...whole,
    unreachable: [...whole.unreachable.filter(isElsewhere), ...walked.unreachable],
    refused: [...whole.refused.filter(({ path }) => isElsewhere(path)), ...walked.refused],
  };
}
