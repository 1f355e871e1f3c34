import type { Writer } from './write-files.ts';

/**
 * After this many writes, merging starts even if more are coming: in a vault that always changes,
 * segments would pile up without end. The first build of 100,000 notes makes fewer writes.
 */
const writesMax = 200;
/** Merging starts when nothing was written for this long. */
const quietMs = 1_000;
/**
 * One step merges a quarter of a megabyte, so that queries do not wait long for it. Larger steps are
 * not faster in total.
 */
const mergePages = 64;

/** The list of words, see `KeptSpelling`. */
interface Learner {
  /** Does a step that comes before merging; returns whether there is more to do. */
  learnSome(): boolean;
  /** Keeps what has been read; called at the end. */
  keepRead(): void;
}

/**
 * Merges the segments of full text (FTS5 stores each write as a new one) while nothing is being
 * written: merging during a build would take a quarter of the build's time. Before that, if nothing is
 * being written, it keeps the list of words up to date (`KeptSpelling`). It works in small steps, so that calls get their turn. It may be stopped at any time: the index stays correct, and merging goes on after the
 * next write.
 */
export class TextTidier {
  readonly #writer: Writer;
  readonly #learner: Learner;
  #timer: NodeJS.Timeout | undefined;
  #writes = 0;
  /** The value of `#writtenElsewhere` when the wait began. */
  #writtenBefore = 0;

  constructor(writer: Writer, learner: Learner) {
    this.#writer = writer;
    this.#learner = learner;
  }

  /** To be called when an earlier process may have left segments to merge. */
  wanted(): void {
    this.#wait();
  }

  /** To be called whenever full text was written. */
  wrote(): void {
    this.#writes++;
    if (this.#writes < writesMax) this.#wait();
    else this.#stepAfter(0);
  }

  close(): void {
    clearTimeout(this.#timer);
    try {
      this.#learner.keepRead();
    } catch {
      // As in `#doSome`: the words are read again by whoever needs them.
    }
  }

  #wait(): void {
    this.#writtenBefore = this.#writtenElsewhere();
    this.#stepAfter(quietMs);
  }

  #stepAfter(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#step(), waitMs).unref();
  }

  #step(): void {
    const isOverdue = this.#writes >= writesMax;
    // Another process is writing or merging: two at the same time would only wait for each other.
    if (!isOverdue && this.#writtenElsewhere() !== this.#writtenBefore) this.#wait();
    else if (this.#doSome(isOverdue)) this.#stepAfter(0);
    else this.#writes = 0;
  }

  /** Does one step; returns whether there may be more to do. While others write, it only merges. */
  #doSome(isOverdue: boolean): boolean {
    try {
      return (!isOverdue && this.#learner.learnSome()) || mergeTexts(this.#writer);
    } catch {
      return false; // The database is busy, or the disk full: merging can wait for the next write.
    }
  }

  /** A number that changes with every write of another process. */
  #writtenElsewhere(): number {
    try {
      return this.#writer.connection.dataVersion();
    } catch {
      return 0; // See `#doSome`.
    }
  }
}

/**
 * Merges some segments of full text; returns whether there was anything to merge. SQLite's count of
 * changed rows shows it: the command itself counts as one, and merging adds more.
 */
function mergeTexts(writer: Writer): boolean {
  const { connection } = writer;
  const changes = (): number => connection.count('SELECT total_changes() AS n');
  return writer.write(() => {
    const before = changes();
    connection.run("INSERT INTO fulltext (fulltext, rank) VALUES ('merge', ?)", mergePages);
    const made = changes() - before;
    connection.tidied += made;
    return made > 1;
  });
}
