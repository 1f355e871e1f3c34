import type { Writer } from './write-files.ts';

/**
 * After so many writes it gets its turn although more come: a vault in which something always
 * changes would else collect pieces without end. More than the first build of 100,000 notes makes.
 */
const writesMax = 200;
/** Nothing was written for so long: a build is over, or a burst of changes. */
const quietMs = 1_000;
/**
 * A quarter of a megabyte in one step: a query waits no longer than it may take itself. Larger
 * steps take no less time in all.
 */
const mergePages = 64;

/**
 * Merges what full text leaves behind, in the time that nobody writes: during a build that would be
 * a quarter of its work. A step at a time, so that calls get their turn. It may end anywhere: the
 * index is as right as before, and whoever writes next goes on.
 */
export class TextTidier {
  readonly #writer: Writer;
  #timer: NodeJS.Timeout | undefined;
  #writes = 0;
  /** The state of the index as others had written it when the wait began. */
  #heldBefore = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** To be called when full text may have been left untidy. */
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
  }

  #wait(): void {
    this.#heldBefore = this.#writtenElsewhere();
    this.#stepAfter(quietMs);
  }

  #stepAfter(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#step(), waitMs).unref();
  }

  #step(): void {
    const isOverdue = this.#writes >= writesMax;
    // Another process writes, or tidies already: two at once would only wait for one another.
    if (!isOverdue && this.#writtenElsewhere() !== this.#heldBefore) this.#wait();
    else if (this.#mergedSome()) this.#stepAfter(0);
    else this.#writes = 0;
  }

  #mergedSome(): boolean {
    try {
      return mergeTexts(this.#writer);
    } catch {
      return false; // Busy elsewhere, or a full disk: nobody asked. Damage shows in the next call.
    }
  }

  /** A number that is another one after a write of any other process. */
  #writtenElsewhere(): number {
    try {
      return this.#writer.connection.dataVersion();
    } catch {
      return 0; // As above.
    }
  }
}

/**
 * Merges some full text, and answers whether there was any to merge. The number of changes says so:
 * the command itself is one, and work makes more.
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
