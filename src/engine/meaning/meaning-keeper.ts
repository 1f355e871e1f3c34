import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { extensionOf, type VaultPath } from '../../base/vault-path.ts';
import type { IndexKeeper } from '../index/index-keeper.ts';
import type { Looked } from '../index/keeper-ports.ts';
import type { FileRow } from '../ports/index-store.ts';
import type { EmbeddedNote, Embedder, MeaningStore, Neighbours } from '../ports/meaning.ts';
import type { Clock, Disk, Hash, Timers } from '../ports/ports.ts';
import { makeSees, type View, wholeVault } from '../ports/view.ts';
import { marksIn } from '../text/marks.ts';
import { decodeText } from '../text/scan-file.ts';
import { checkModel } from './check-model.ts';
import { notePassages } from './note-passages.ts';
import { QueryVectors } from './query-vectors.ts';
import { openSentView } from './sent-view.ts';

/** How many files the index is asked for at a time. */
const filesAtOnce = 5_000;
/** How often the same other length of vectors must come before all are thrown away. */
const otherLengthsMax = 3;

interface MeaningParts {
  readonly keeper: Pick<IndexKeeper, 'ask' | 'wait' | 'onLooked'>;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly hash: Hash;
  readonly embedder: Embedder;
  /** Opens the vectors of this model. */
  readonly openStore: (model: string) => Promise<MeaningStore>;
  /** What clients see without a token of their own: nothing else is sent. */
  readonly view: View;
  /** Whether notes are embedded in the background; else only what others have stored is used. */
  readonly fills: boolean;
  /** Called when the work begins, ends, fails or goes on; see `MeaningProgress`. */
  readonly onProgress?: (progress: MeaningProgress) => void;
}

/** How many notes have vectors, of how many; and why no more come just now. */
export interface MeaningProgress {
  readonly done: number;
  readonly total: number;
  readonly problem?: string;
}

/** A note that lacks its vectors, as the index has it. */
type Lacking = Pick<FileRow, 'path' | 'size' | 'mtimeMs'>;

/** A note that was read, with the texts of which no vectors are stored, by their hashes. */
interface ReadNote extends EmbeddedNote {
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Has the passages of notes embedded, in the background, once the text of all notes is in the index;
 * and answers which notes are near to a question. Each batch is stored at once, so that a process
 * that is ended goes on where it was. What is hidden from clients, or excluded in the settings of the
 * app, is never sent. While the embedder fails, it is asked less and less often.
 */
export class MeaningKeeper {
  readonly #parts: MeaningParts;
  readonly #left = new AbortController();
  /** What may be sent now. */
  readonly #sentView: () => Promise<View>;
  readonly #queries: QueryVectors;
  #stopListening = (): void => {};
  #stopTimer = (): void => {};
  #store: Promise<MeaningStore> | undefined;
  /** The notes to look at; `all` compares the whole vault with the store. */
  #wanted: Set<VaultPath> | 'all' = 'all';
  #running: Promise<void> | undefined;
  #failures = 0;
  /** Whether it is known how many notes there are; also where another process embeds them. */
  #isListed = false;
  #otherLengths = 0;
  #progress: MeaningProgress = { done: 0, total: 0 };

  constructor(parts: MeaningParts) {
    this.#parts = parts;
    this.#queries = new QueryVectors(parts.embedder, parts.clock);
    this.#sentView = openSentView(parts);
    if (!parts.fills) return;
    this.#stopListening = parts.keeper.onLooked((looked) => {
      this.#note(looked);
      if (this.#failures === 0) this.#run(); // Else the timer runs it.
    });
    this.#run();
  }

  get progress(): MeaningProgress {
    return this.#progress;
  }

  /** Whether notes are left to embed, as far as this process knows. */
  get isPartly(): boolean {
    if (!this.#parts.fills) return false;
    return !this.#isListed || this.#progress.done < this.#progress.total;
  }

  /**
   * The notes nearest in meaning to a question, of those that the view admits. Fails with
   * `unavailable` when the embedder does; then it is not asked again for a moment. Fails with
   * `conflict` when its vector is of no use with the stored ones.
   */
  async nearest(
    view: View,
    question: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<Neighbours> {
    const vector = await this.#queries.of(question, signal);
    try {
      const found = await this.#ask(view, (store, seen) => store.nearest(seen, vector, limit));
      this.#otherLengths = 0;
      return found;
    } catch (error) {
      if (this.#countOther(error) && this.#parts.fills) this.#run();
      throw error;
    }
  }

  /** Counts vectors of another length; answers whether there were so many that all are to be renewed. */
  #countOther(error: unknown): boolean {
    if (!(error instanceof VaultError) || error.code !== 'conflict') return false;
    this.#queries.clear();
    this.#otherLengths++;
    return this.#otherLengths >= otherLengthsMax;
  }

  /** The notes nearest in meaning to a note. Asks no embedder. */
  nearNote(view: View, path: VaultPath, limit: number): Promise<Neighbours> {
    return this.#ask(view, (store, seen) => store.nearNote(seen, path, limit));
  }

  /** Resolves when nothing is being embedded. */
  async settle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#stopTimer();
    this.#left.abort();
    await this.#parts.embedder.close();
    await this.settle();
    await this.#store?.then((store) => store.close()).catch(() => undefined);
  }

  async #ask<T>(view: View, question: (store: MeaningStore, seen: View) => Promise<T>): Promise<T> {
    const unseen = await this.#parts.keeper.ask((store) => store.unseen(view));
    return this.#inStore((store) => question(store, { ...view, unseen }));
  }

  /** Asks the store; one whose thread has died is opened again by the next call. */
  async #inStore<T>(question: (store: MeaningStore) => Promise<T>): Promise<T> {
    const { openStore, embedder } = this.#parts;
    this.#store ??= openStore(embedder.model);
    const opened = this.#store;
    try {
      return await question(await opened);
    } catch (error) {
      if (this.#store === opened && !isExpected(error)) {
        this.#store = undefined;
        void opened.then((store) => store.close()).catch(() => undefined);
      }
      throw error;
    }
  }

  #note(looked: Looked): void {
    // A path that is no note's may be that of a folder that came or was renamed, or of settings.
    const isAll =
      looked === 'all' || looked.some((path) => !isNote(path) && extensionOf(path) === '');
    if (isAll) this.#wanted = 'all';
    else if (this.#wanted !== 'all') {
      for (const path of looked) if (isNote(path)) this.#wanted.add(path);
    }
  }

  #run(): void {
    const { signal } = this.#left;
    if (this.#running !== undefined || signal.aborted) return;
    this.#stopTimer();
    this.#running = this.#work()
      .then(() => {
        this.#failures = 0;
      })
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
        const isWanted = this.#wanted === 'all' || this.#wanted.size > 0;
        if (isWanted && this.#failures === 0) this.#run();
      });
  }

  /** Tries again later: each failure in a row doubles the pause. */
  #failed(error: unknown): void {
    if (this.#left.signal.aborted) return;
    this.#wanted = 'all';
    this.#failures++;
    const { message } = error instanceof VaultError ? error : { message: 'This is a bug.' };
    if (error !== busy) this.#tell({ problem: message });
    else this.#isListed = true;
    const pauseMs = Math.min(limits.embedRetryMsMax, limits.embedRetryMs * 2 ** this.#failures);
    const waitMs = error === busy ? limits.embedLeaseMs : pauseMs;
    this.#stopTimer = this.#parts.timers.after(waitMs, () => this.#run());
  }

  #tell(change: Partial<MeaningProgress>): void {
    const { problem: _, ...before } = this.#progress;
    this.#progress = { ...before, ...change };
    this.#parts.onProgress?.(this.#progress);
  }

  async #work(): Promise<void> {
    const { keeper } = this.#parts;
    const { signal } = this.#left;
    await keeper.wait('text', { waitMs: Number.POSITIVE_INFINITY, signal });
    if (!(await this.#inStore((store) => store.tryLease()))) throw busy;
    if (this.#otherLengths >= otherLengthsMax) {
      await this.#inStore((store) => store.clear());
      this.#otherLengths = 0;
      this.#wanted = 'all';
    }
    const wanted = this.#wanted;
    this.#wanted = new Set();
    const lacking = await (wanted === 'all' ? this.#lackingOfAll() : this.#lackingOf(wanted));
    if (lacking.length > 0) this.#tell({});
    let batch: ReadNote[] = [];
    for (const file of lacking) {
      signal.throwIfAborted();
      const note = await this.#read(file);
      if (note === undefined) {
        this.#leaveOut();
        continue;
      }
      batch.push(note);
      const texts = batch.reduce((sum, each) => sum + each.texts.size, 0);
      if (texts < limits.embedBatchMax && batch.length < filesAtOnce) continue;
      await this.#embed(batch);
      batch = [];
    }
    await this.#embed(batch);
    if (lacking.length > 0) this.#tell({});
  }

  /** A note that cannot be read, or may not be sent, is not waited for. */
  #leaveOut(): void {
    const { done, total } = this.#progress;
    this.#progress = { ...this.#progress, total: Math.max(done, total - 1) };
  }

  /** Compares the vault with the store: forgets what is gone, and answers what may be sent and lacks. */
  async #lackingOfAll(): Promise<readonly Lacking[]> {
    const sees = makeSees(await this.#sentView());
    const known = new Map(await this.#inStore((store) => store.notes()));
    const lacking: Lacking[] = [];
    let total = 0;
    for (let offset = 0; ; offset += filesAtOnce) {
      const page = {
        folder: '',
        kinds: ['note'],
        sort: 'path',
        limit: filesAtOnce,
        offset,
      } as const;
      const { items } = await this.#parts.keeper.ask((store) => store.files(wholeVault, page));
      for (const file of items) {
        const stamp = known.get(file.path);
        known.delete(file.path);
        if (!sees(file.path) || !file.present) continue;
        total++;
        if (stamp !== stampOf(file)) lacking.push(file);
      }
      if (items.length < filesAtOnce) break;
    }
    if (known.size > 0) await this.#inStore((store) => store.forget(Array.from(known.keys())));
    const { problem: _, ...rest } = this.#progress;
    this.#progress = { ...rest, total, done: total - lacking.length };
    this.#isListed = true;
    return lacking;
  }

  async #lackingOf(paths: ReadonlySet<VaultPath>): Promise<readonly Lacking[]> {
    const { keeper } = this.#parts;
    const sees = makeSees(await this.#sentView());
    const found: Lacking[] = [];
    const gone: VaultPath[] = [];
    for (const path of paths) {
      const file = await keeper.ask((store) => store.file(wholeVault, path));
      if (file === undefined) gone.push(path);
      else if (sees(path) && file.present) found.push(file);
    }
    if (gone.length > 0) await this.#inStore((store) => store.forget(gone));
    return found;
  }

  /** Reads a note; undefined when it cannot be read, is another by now, or is marked as private. */
  async #read(file: Lacking): Promise<ReadNote | undefined> {
    const { disk, hash, view } = this.#parts;
    const bytesMax = limits.noteBytesMax;
    const content = await disk.read(file.path, { bytesMax }).catch((error: unknown) => {
      if (error instanceof VaultError && error.code !== 'vault_not_found') return undefined;
      throw error;
    });
    // Another note stands there by now: the index will say so.
    if (content === undefined || stampOf(content.stat) !== stampOf(file)) return undefined;
    const text = decodeText(content.bytes);
    const { marks } = view;
    if (marks !== undefined && marksIn(text, 'note', marks).length > 0) return undefined;
    const [known = []] = await this.#inStore((store) => store.hashes([file.path]));
    const isKnown = new Set(known);
    const texts = new Map<string, string>();
    const passages = notePassages(file.path, text).map((passage) => {
      const id = hash.version(new TextEncoder().encode(passage.text)).slice(0, 32);
      if (!isKnown.has(id)) texts.set(id, passage.text);
      return { line: passage.line, hash: id };
    });
    return { path: file.path, stamp: stampOf(file), passages, texts };
  }

  /**
   * Embeds and stores notes, without those that may not be sent any more: there may be hours since they
   * were listed. Where their texts are refused, each is tried alone, and then left out.
   */
  async #embed(batch: readonly ReadNote[]): Promise<void> {
    if (batch.length === 0) return;
    const sees = makeSees(await this.#sentView());
    const notes = batch.filter(({ path }) => sees(path));
    for (let left = batch.length - notes.length; left > 0; left--) this.#leaveOut();
    if (notes.length === 0) return;
    try {
      await this.#keep(
        notes,
        await this.#vectors(notes.flatMap(({ texts }) => Array.from(texts.values()))),
      );
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== 'too_large') throw error;
      if (notes.length > 1) {
        for (const note of notes) await this.#embed([note]);
        return;
      }
      await checkModel(this.#parts.embedder, error, this.#left.signal);
      const left = notes.map(({ path, stamp }) => ({ path, stamp, passages: [] }));
      await this.#inStore((store) => store.put(left));
    }
    const { done, total } = this.#progress;
    this.#tell({ done: Math.min(total, done + notes.length) });
  }

  async #vectors(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const { embedder } = this.#parts;
    const { signal } = this.#left;
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += limits.embedBatchMax) {
      const part = texts.slice(from, from + limits.embedBatchMax);
      vectors.push(...(await embedder.embed(part, { signal, timeMs: limits.embedBatchMs })));
    }
    return vectors;
  }

  /** Stores notes with their new vectors. If these stay of another length, `#work` drops all others. */
  async #keep(notes: readonly ReadNote[], vectors: readonly Float32Array[]): Promise<void> {
    let next = 0;
    const embedded = notes.map(({ path, stamp, passages, texts }) => {
      const fresh = new Map(Array.from(texts.keys(), (id) => [id, vectors[next++]]));
      const withVectors = passages.map((passage) => {
        const vector = fresh.get(passage.hash);
        return vector === undefined ? passage : { ...passage, vector };
      });
      return { path, stamp, passages: withVectors };
    });
    try {
      await this.#inStore((store) => store.put(embedded));
      this.#otherLengths = 0;
    } catch (error) {
      this.#countOther(error);
      throw error;
    }
  }
}

/** Another process fills the store. */
const busy = new VaultError('unavailable', 'Another process embeds the notes of this vault.');

/** Whether a failure of the store says nothing about the store itself. */
function isExpected(error: unknown): boolean {
  return error instanceof VaultError && ['conflict', 'cancelled', 'too_large'].includes(error.code);
}

function isNote(path: string): boolean {
  return extensionOf(path) === 'md';
}

function stampOf({ size, mtimeMs }: Omit<Lacking, 'path'>): string {
  return `${size} ${mtimeMs}`;
}
