import type { OwnerBook, OwnerPage } from '../../src/oauth/ports/owner-book.ts';

/** What is kept about the owner, in memory; `page` is what a test looks at or puts there. */
export interface MemoryOwnerBook extends OwnerBook {
  page: OwnerPage;
  /** How often something was written. */
  writes: number;
}

export function memoryOwnerBook(): MemoryOwnerBook {
  const book: MemoryOwnerBook = {
    page: { sessions: [], deviceKey: Buffer.alloc(32, 7).toString('base64url') },
    writes: 0,
    read: async () => book.page,
    async change(decide) {
      await undefined; // As a real book, it answers later.
      const { keep, answer } = decide(book.page);
      if (keep !== undefined) {
        book.page = keep;
        book.writes += 1;
      }
      return answer;
    },
  };
  return book;
}
