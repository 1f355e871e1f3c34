import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeBriefBooks } from '../../../test/support/brief-book-contract.ts';
import { type BriefBook, memoryBriefBooks } from './brief-book.ts';

const crypto = { random: (bytes: number): Uint8Array => randomBytes(bytes) };

describeBriefBooks('memory', async () => {
  const books = memoryBriefBooks({ crypto, nowMs: Date.now });
  return () => books;
});

it('an entry from the future has ended: the clock was set back', async () => {
  const clock = { nowMs: 1_000_000 };
  const books = memoryBriefBooks({ crypto, nowMs: () => clock.nowMs });
  const book: BriefBook<string> = books.open('code', 9);
  await book.change('a', () => ({ keep: { entry: '', forMs: 100 }, answer: undefined }));
  clock.nowMs += 99;
  expect((await book.get('a'))?.ageMs).toBe(99);
  clock.nowMs -= 100;
  expect(await book.get('a')).toBeUndefined();
});
