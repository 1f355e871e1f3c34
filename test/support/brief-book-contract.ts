import { describe, expect, it } from 'vitest';
import type { BriefBook, BriefBooks } from '../../src/oauth/ports/brief-book.ts';

const hourMs = 3_600_000;

interface Said {
  readonly said: string;
}

/** What every `BriefBooks` promises. `open` makes empty ones, and answers how another node opens them. */
export function describeBriefBooks(name: string, open: () => Promise<() => BriefBooks>): void {
  describe(`${name} as books of what is kept for a short time`, () => {
    const put = (
      book: BriefBook<Said>,
      id: string,
      { said = id, forMs = hourMs, worth = 0 } = {},
    ): Promise<void> =>
      book.change(id, () => ({ keep: { entry: { said }, forMs, worth }, answer: undefined }));
    const ids = async (book: BriefBook<Said>) => (await book.all()).map(({ id }) => id);

    it('have a key of 32 bytes that everyone with them has', async () => {
      const again = await open();
      expect(await again().key()).toHaveLength(32);
      expect(await again().key()).toEqual(await again().key());
    });

    it('show to all what one has kept, each kind for itself', async () => {
      const again = await open();
      const [here, there] = [again(), again()];
      await put(here.open('code', 9), 'a', { said: 'Ü 日 \u0000 "' });
      expect(await there.open('code', 9).get('a')).toEqual({
        id: 'a',
        entry: { said: 'Ü 日 \u0000 "' },
        ageMs: expect.any(Number),
      });
      expect(await there.open('request', 9).get('a')).toBeUndefined();
    });

    it('let an entry be taken once, by whoever asks first', async () => {
      const again = await open();
      const nodes = [again(), again()].map((books) => books.open<Said>('code', 9));
      await put(nodes[0] as BriefBook<Said>, 'a');
      const takes = Array.from({ length: 8 }, (_, at) =>
        (nodes[at % 2] as BriefBook<Said>).change('a', (found) =>
          found === undefined
            ? { answer: undefined }
            : { keep: 'forget', answer: found.entry.said },
        ),
      );
      expect((await Promise.all(takes)).filter((said) => said === 'a')).toHaveLength(1);
    });

    it('lose no change of several that are made at once', async () => {
      const again = await open();
      const nodes = [again(), again()].map((books) => books.open<Said>('code', 9));
      const added = Array.from({ length: 10 }, (_, at) =>
        (nodes[at % 2] as BriefBook<Said>).change('a', (found) => ({
          keep: { entry: { said: `${found?.entry.said ?? ''}x` }, forMs: hourMs },
          answer: undefined,
        })),
      );
      await Promise.all(added);
      expect((await nodes[0]?.get('a'))?.entry.said).toBe('x'.repeat(10));
    });

    it('forget an entry in its time, and keep the end of one that is changed without another', async () => {
      const book = (await open())().open<Said>('code', 9);
      await put(book, 'short', { forMs: 1 });
      await put(book, 'long', { forMs: 100 });
      await put(book, 'longer');
      for (const id of ['long', 'longer']) {
        await book.change(id, () => ({ keep: { entry: { said: 'more' } }, answer: undefined }));
      }
      await expect.poll(() => ids(book)).toEqual(['longer']);
      expect((await book.get('longer'))?.entry.said).toBe('more');
      expect(await book.get('short')).toBeUndefined();
      await book.change('short', () => ({ keep: { entry: { said: 'no' } }, answer: undefined }));
      expect(await book.get('short')).toBeUndefined();
      await put(book, 'short');
      expect(await ids(book)).toEqual(['longer', 'short']);
    });

    it('make room by forgetting the oldest of least worth', async () => {
      const book = (await open())().open<Said>('request', 3);
      await put(book, 'a', { worth: 2 });
      await put(book, 'b', { worth: 1 });
      await put(book, 'c', { worth: 1 });
      await put(book, 'd');
      expect(await ids(book)).toEqual(['a', 'c', 'd']);
      await put(book, 'e');
      expect(await ids(book)).toEqual(['a', 'c', 'e']);
      await put(book, 'a', { worth: 2 });
      expect(await ids(book)).toEqual(['c', 'e', 'a']);
    });

    it('write nothing when there is nothing to keep, or a decision fails', async () => {
      const book = (await open())().open<Said>('code', 9);
      await put(book, 'a');
      expect(await book.change('a', (found) => ({ answer: found?.entry.said }))).toBe('a');
      const failing = book.change('a', () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await ids(book)).toEqual(['a']);
    });

    it('forget all of a kind', async () => {
      const books = (await open())();
      await put(books.open('code', 9), 'a');
      await put(books.open('request', 9), 'b');
      await books.open('code', 9).clear();
      expect(await ids(books.open('code', 9))).toEqual([]);
      expect(await ids(books.open('request', 9))).toEqual(['b']);
    });
  });
}
