/** What is kept for a short time, each kind for itself. */
export type BriefKind = 'code' | 'request' | 'challenge' | 'console_key' | 'console';

/** An entry that has not ended. */
export interface BriefEntry<T> {
  /** The hash of a secret, in hex: who has the entry cannot use it. */
  readonly id: string;
  readonly entry: T;
  /** How long ago it was kept, by the clock of the book. */
  readonly ageMs: number;
}

/** What becomes of an entry. */
export interface BriefKeep<T> {
  readonly entry: T;
  /** How long it is kept from now on; absent, it keeps its age and its end. A new one needs it. */
  readonly forMs?: number;
  /** When there are too many, those of least worth go first; 0 if absent. */
  readonly worth?: number;
}

/**
 * Entries that end by themselves, such as codes. All servers that share a book see the same ones. When a
 * new one is kept and there are too many, one of least worth goes, of these the one that was kept longest
 * ago. Entries are JSON.
 */
export interface BriefBook<T> {
  get(id: string): Promise<BriefEntry<T> | undefined>;
  /** Those that have not ended; the one that was kept longest ago first. */
  all(): Promise<readonly BriefEntry<T>[]>;
  /**
   * Changes one entry: nobody else changes it between the look and the write. When `keep` is absent,
   * nothing is written. `decide` may be called again, so it does nothing but decide.
   */
  change<R>(
    id: string,
    decide: (found: BriefEntry<T> | undefined) => {
      readonly keep?: BriefKeep<T> | 'forget';
      readonly answer: R;
    },
  ): Promise<R>;
  /** Forgets all of them. */
  clear(): Promise<void>;
}

/** What one server, or all nodes of a cluster, remember for a short time. */
export interface BriefBooks {
  /** 32 random bytes that everyone with these books has. */
  key(): Promise<Uint8Array>;
  /** The entries of a kind; `max` is how many there may be. */
  open<T>(kind: BriefKind, max: number): BriefBook<T>;
}

const keyBytes = 32;

/**
 * Books in the memory of one process: a restart forgets everything. When the clock is set back, entries do
 * not live longer: those from the future have ended too.
 */
export function memoryBriefBooks(parts: {
  readonly crypto: { random(bytes: number): Uint8Array };
  readonly nowMs: () => number;
}): BriefBooks {
  const key = parts.crypto.random(keyBytes);
  const books = new Map<BriefKind, MemoryBriefBook>();
  return {
    key: async () => key,
    open<T>(kind: BriefKind, max: number) {
      const book = books.get(kind) ?? new MemoryBriefBook(parts.nowMs, max);
      books.set(kind, book);
      return book as unknown as BriefBook<T>; // Only one user of a kind knows what its entries are.
    },
  };
}

interface Kept {
  readonly entry: unknown;
  readonly keptMs: number;
  readonly endsMs: number;
  readonly worth: number;
}

class MemoryBriefBook implements BriefBook<unknown> {
  readonly #nowMs: () => number;
  readonly #max: number;
  /** The one that was kept longest ago first. */
  readonly #kept = new Map<string, Kept>();

  constructor(nowMs: () => number, max: number) {
    this.#nowMs = nowMs;
    this.#max = max;
  }

  async get(id: string): Promise<BriefEntry<unknown> | undefined> {
    return this.#find(id, this.#nowMs());
  }

  async all(): Promise<readonly BriefEntry<unknown>[]> {
    const nowMs = this.#nowMs();
    return [...this.#kept.keys()].flatMap((id) => this.#find(id, nowMs) ?? []);
  }

  async change<R>(
    id: string,
    decide: (found: BriefEntry<unknown> | undefined) => {
      readonly keep?: BriefKeep<unknown> | 'forget';
      readonly answer: R;
    },
  ): Promise<R> {
    const nowMs = this.#nowMs();
    const { keep, answer } = decide(this.#find(id, nowMs));
    if (keep === 'forget') this.#kept.delete(id);
    else if (keep !== undefined) this.#keep(id, keep, nowMs);
    return answer;
  }

  async clear(): Promise<void> {
    this.#kept.clear();
  }

  #find(id: string, nowMs: number): BriefEntry<unknown> | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined || hasEnded(kept, nowMs)) return undefined;
    return { id, entry: kept.entry, ageMs: nowMs - kept.keptMs };
  }

  #keep(id: string, { entry, forMs, worth = 0 }: BriefKeep<unknown>, nowMs: number): void {
    const before = this.#kept.get(id);
    if (forMs === undefined) {
      if (before !== undefined) this.#kept.set(id, { ...before, entry, worth });
      return;
    }
    this.#kept.delete(id); // It becomes the last one.
    this.#makeRoom(nowMs);
    this.#kept.set(id, { entry, worth, keptMs: nowMs, endsMs: nowMs + forMs });
  }

  #makeRoom(nowMs: number): void {
    for (const [id, kept] of this.#kept) if (hasEnded(kept, nowMs)) this.#kept.delete(id);
    while (this.#kept.size >= this.#max) {
      const least = Math.min(...Array.from(this.#kept.values(), ({ worth }) => worth));
      const [oldest] = [...this.#kept].find(([, { worth }]) => worth === least) ?? [''];
      this.#kept.delete(oldest);
    }
  }
}

function hasEnded({ keptMs, endsMs }: Kept, nowMs: number): boolean {
  return nowMs >= endsMs || nowMs < keptMs;
}
