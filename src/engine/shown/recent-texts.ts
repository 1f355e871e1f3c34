/** Texts by what they belong to, as many as fit; the least recently used are let go first. */
export class RecentTexts {
  readonly #bytesMax: number;
  /** Those used last stand last. */
  readonly #texts = new Map<object, string>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Undefined when it was let go. */
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

/** What a text takes in memory at most. */
function bytesOf(text: string): number {
  return 2 * text.length;
}
