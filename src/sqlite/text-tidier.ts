import type { Writer } from './write-files.ts';

/** Nothing was written for so long: a build is over, or a burst of changes. */
const quietMs = 1_000;
/** A megabyte or two in one step: a query waits no longer than it may take itself. */
const mergePages = 256;

/**
 * Merges what full text leaves behind, in the time that nobody writes: during a build that would be
 * a quarter of its work. A step at a time, so that calls get their turn. It may end anywhere: the
 * index is as right as before, and whoever writes next goes on.
 */
export class TextTidier {
  readonly #writer: Writer;
  #timer: NodeJS.Timeout | undefined;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** To be called whenever full text was written, or may have been left untidy. */
  wanted(): void {
    this.#stepAfter(quietMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #stepAfter(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#mergedSome()) this.#stepAfter(0);
    }, waitMs).unref();
  }

  #mergedSome(): boolean {
    try {
      return mergeTexts(this.#writer);
    } catch {
      return false; // Busy elsewhere, or a full disk: nobody asked. Damage shows in the next call.
    }
  }
}

/**
 * Merges some full text, and answers whether there was any to merge. The number of changes says so:
 * the command itself is one, and work makes more.
 */
export function mergeTexts(writer: Writer): boolean {
  const { connection } = writer;
  const changes = (): number => connection.count('SELECT total_changes() AS n');
  return writer.write(() => {
    const before = changes();
    connection.run("INSERT INTO fulltext (fulltext, rank) VALUES ('merge', ?)", mergePages);
    return changes() - before > 1;
  });
}
