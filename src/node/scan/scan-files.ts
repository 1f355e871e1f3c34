import { setImmediate } from 'node:timers/promises';
import { toJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import type {
  Clock,
  ScanBatch,
  ScanWant,
  WalkBatch,
  WalkSummary,
} from '../../engine/ports/ports.ts';
import { NoteBatchPacker, TextBatchPacker } from '../../engine/ports/record-batches.ts';
import type { FileEntry, FileStat, NoteRecord, TextRecord } from '../../engine/ports/records.ts';
import { scanFile, unreadRecord } from '../../engine/text/scan-file.ts';
import { isVaultGone } from '../place/vault-gone.ts';

/**
 * The files for a scanner, read synchronously: when they are in the system's cache, five times faster.
 */
export interface ScanSource {
  walk(folder: VaultFolder): Generator<readonly FileEntry[], WalkSummary>;
  /**
   * A file's stat and its bytes at that moment. `bytes` is absent, and the file is not read, when it
   * is not present or has more than `bytesMax` bytes. The bytes are valid only until the next read,
   * which may use the same buffer. Fails with a `VaultError`.
   */
  read(
    path: VaultPath,
    options: { readonly bytesMax: number },
  ): { readonly stat: FileStat; readonly bytes?: Buffer };
  /** The paths of all visible files, some at a time; undefined among them when only `walk` can tell. */
  names(): Generator<readonly VaultPath[] | undefined>;
  /** Begins to read many files only to find those that are worth a `read`. */
  peek(): PeekedFiles;
}

/** See `ScanSource.peek`. Must be closed: a folder may be held open. */
export interface PeekedFiles {
  /**
   * The bytes of a plain file, read three times as fast as by `ScanSource.read`: nobody looks whether
   * the file changes meanwhile. Undefined when only `ScanSource.read` can tell. The bytes are valid
   * only until the next call.
   */
  read(path: VaultPath): Buffer | undefined;
  close(): void;
}

/** What a scanner needs: the files, and the time. */
export interface ScanContext {
  readonly source: ScanSource;
  readonly clock: Clock;
}

/** How many batches may wait for the index before the scanner waits as well. */
const batchesAhead = 2;

/** Sends every visible file under `folder`, in batches. Resolves when the last batch was handled. */
export async function walkFiles(
  { source }: Pick<ScanContext, 'source'>,
  folder: VaultFolder,
  onBatch: (batch: WalkBatch) => Promise<void>,
): Promise<WalkSummary> {
  const sending = sendAhead(onBatch);
  const walk = source.walk(folder);
  for (;;) {
    const step = walk.next();
    if (step.done) {
      await sending.done();
      return step.value;
    }
    await sending.send({ entries: toJson(step.value), count: step.value.length });
  }
}

/**
 * Reads and parses files, and sends the results in batches that are bounded by number and bytes.
 * Resolves when the last batch was handled.
 */
export async function scanFiles(
  context: ScanContext,
  request: {
    readonly paths: readonly VaultPath[];
    readonly want: readonly ScanWant[];
    /** Is asked every `limits.turnMs`: the scan goes on when the answer, if there is one, is resolved. */
    readonly pause?: () => Promise<void> | undefined;
  },
  onBatch: (batch: ScanBatch) => Promise<void>,
): Promise<void> {
  const sending = sendAhead(onBatch);
  const batch = new OpenBatch(request.want);
  let sinceMs = performance.now();
  for (const path of request.paths) {
    const result = scanOne(context, path, request.want);
    if (batch.count > 0 && batch.bytes + result.bytes > limits.batchBytesMax) {
      await sending.send(batch.take());
    }
    batch.add(path, result);
    if (batch.count >= limits.batchNotesMax) await sending.send(batch.take());
    if (performance.now() - sinceMs < limits.turnMs) continue;
    await setImmediate(); // Callers who wait for this thread get their turn.
    const pause = request.pause?.();
    // The index gets what was read before the pause, and then does what callers wait for.
    if (pause !== undefined && batch.count > 0) await sending.send(batch.take());
    await pause;
    sinceMs = performance.now();
  }
  if (batch.count > 0) await sending.send(batch.take());
  await sending.done();
}

/** The result for one file: its records, or why it could not be read. */
interface ScannedFile {
  readonly note?: NoteRecord | undefined;
  readonly text?: TextRecord | undefined;
  readonly failure?: string;
  readonly bytes: number;
}

function scanOne(
  { source, clock }: ScanContext,
  path: VaultPath,
  want: readonly ScanWant[],
): ScannedFile {
  try {
    // Before reading: after it, a pause could hide that the file was read within `limits.racyMs` of
    // its mtime.
    const nowMs = clock.nowMs();
    const { stat, bytes } = source.read(path, { bytesMax: limits.noteBytesMax });
    if (bytes === undefined) return { ...unreadRecord({ path, stat }), bytes: 0 };
    const text = bytes.toString('utf8');
    const { note, text: folded } = scanFile({ path, stat, text }, want, nowMs);
    return { note, text: folded, bytes: bytes.length };
  } catch (error) {
    if (isVaultGone(error)) throw error;
    // One file that has vanished, or that our parser fails on, must not stop the whole scan.
    return { failure: toVaultError(error).message, bytes: 0 };
  }
}

/** The batch that is being filled. */
class OpenBatch {
  /** Both are undefined when the caller does not want them. */
  readonly #notes: NoteBatchPacker | undefined;
  readonly #texts: TextBatchPacker | undefined;
  #failed: { path: VaultPath; reason: string }[] = [];
  count = 0;
  bytes = 0;

  constructor(want: readonly ScanWant[]) {
    this.#notes = want.includes('facts') ? new NoteBatchPacker() : undefined;
    this.#texts = want.includes('text') ? new TextBatchPacker() : undefined;
  }

  add(path: VaultPath, { note, text, failure, bytes }: ScannedFile): void {
    if (note !== undefined) this.#notes?.add(note);
    if (text !== undefined) this.#texts?.add(text);
    if (failure !== undefined) this.#failed.push({ path, reason: failure });
    this.bytes += bytes;
    this.count += 1;
  }

  take(): ScanBatch {
    const batch = {
      ...(this.#notes === undefined ? {} : { notes: this.#notes.take() }),
      ...(this.#texts === undefined ? {} : { texts: this.#texts.take() }),
      count: this.count,
      failed: this.#failed,
    };
    this.#failed = [];
    this.count = 0;
    this.bytes = 0;
    return batch;
  }
}

/** Sends batches without waiting for answers, as long as fewer than `batchesAhead` are unanswered. */
function sendAhead<T>(onBatch: (batch: T) => Promise<void>) {
  const unanswered: Promise<void>[] = [];
  const awaitOldest = async () => {
    await unanswered.shift();
  };
  return {
    async send(batch: T): Promise<void> {
      while (unanswered.length >= batchesAhead) await awaitOldest();
      const answer = onBatch(batch);
      answer.catch(() => {}); // It is awaited later; without this, Node would call it unhandled.
      unanswered.push(answer);
      // Lets a short scan start, which runs as soon as its message has arrived.
      await setImmediate();
    },
    async done(): Promise<void> {
      while (unanswered.length > 0) await awaitOldest();
    },
  };
}
