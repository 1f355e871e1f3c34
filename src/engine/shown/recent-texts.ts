/**
 * Remembers texts by the object they belong to (their owner), up to `bytesMax`; the least recently
 * used are forgotten first.
 */
export class RecentTexts {
  readonly #bytesMax: number;
  /** In the order of use, the most recently used last. */
  readonly #texts = new Map<object, string>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The text of an owner; undefined when it is not remembered any more. */
  get(owner: object): string | undefined {
    const text = this.#texts.get(owner);
    if (text === undefined) return undefined;
    this.#texts.delete(owner);
    this.#texts.set(owner, text);
    return text;
  }

  set(owner: object, text: string): void {
    this.delete(owner);
    this.#texts.set(owner, text);
    this.#bytes += bytesOf(text);
    for (const oldest of this.#texts.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.delete(oldest);
    }
  }

  delete(owner: object): void {
    this.#bytes -= bytesOf(this.#texts.get(owner) ?? '');
    this.#texts.delete(owner);
  }
}

/** The memory that a text takes at most: two bytes for each UTF-16 unit. */
function bytesOf(text: string): number {
  return 2 * text.length;
}
