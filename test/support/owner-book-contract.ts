import { describe, expect, it } from 'vitest';
import type { OwnerBook, OwnerPage } from '../../src/oauth/ports/owner-book.ts';

/** Every field of a page, filled in. */
export const fullOwnerPage: Omit<OwnerPage, 'deviceKey'> = {
  owner: {
    passphrase: {
      salt: Buffer.alloc(16, 1).toString('base64url'),
      hash: Buffer.alloc(32, 2).toString('base64url'),
      n: 16,
      r: 8,
      p: 1,
    },
    setMs: 1,
    passkeys: [
      {
        id: 'AQID',
        name: 'Phone „日“',
        host: 'vault.example',
        key: { algorithm: -7, jwk: { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ' } },
        createdMs: 2,
        usedMs: 3,
      },
    ],
  },
  setUp: { sha256: 'ab'.repeat(32), endsMs: 4, triesLeft: 5 },
  sessions: [{ sha256: 'cd'.repeat(32), signedInMs: 6, createdMs: 6, usedMs: 7 }],
};

/**
 * What every `OwnerBook` promises. `open` makes an empty one, and answers how to open it again, as
 * another process does.
 */
export function describeOwnerBook(name: string, open: () => () => OwnerBook): void {
  describe(`${name} as a book of the owner`, () => {
    it('has a device key and no owner at first, and the same key afterwards', async () => {
      const again = open();
      const pages = await Promise.all([again().read(), again().read()]);
      const [first] = pages;
      expect(Buffer.from(first.deviceKey, 'base64url')).toHaveLength(32);
      expect(pages).toEqual([first, first]);
      expect(await again().read()).toEqual({ sessions: [], deviceKey: first.deviceKey });
    });

    it('gives back what it keeps', async () => {
      const again = open();
      const { deviceKey } = await again().read();
      const keep = { ...fullOwnerPage, deviceKey };
      expect(await again().change(() => ({ keep, answer: 'done' }))).toBe('done');
      expect(await again().read()).toEqual(keep);
    });

    it('shows a change to those who had the book open', async () => {
      const again = open();
      const [one, other] = [again(), again()];
      await other.read();
      await one.change((page) => ({ keep: { ...page, ...fullOwnerPage }, answer: undefined }));
      expect(await other.read()).toMatchObject(fullOwnerPage);
      await other.change((page) => ({ keep: { ...page, sessions: [] }, answer: undefined }));
      expect((await one.read()).sessions).toEqual([]);
    });

    it('writes nothing when there is nothing to keep', async () => {
      const again = open();
      const before = await again().read();
      expect(await again().change((page) => ({ answer: page.deviceKey }))).toBe(before.deviceKey);
      expect(await again().read()).toEqual(before);
    });

    it('keeps what it had when a decision fails', async () => {
      const again = open();
      const before = await again().read();
      const failing = again().change(() => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await again().read()).toEqual(before);
    });

    it('loses no change of several that are made at once', async () => {
      const again = open();
      const books = [again(), again()];
      const changes = Array.from({ length: 20 }, (_, at) =>
        (books[at % 2] as OwnerBook).change((page) => ({
          keep: {
            ...page,
            sessions: [
              ...page.sessions,
              { sha256: `${at + 10}`.repeat(32), signedInMs: at, createdMs: at, usedMs: at },
            ],
          },
          answer: page.sessions.length,
        })),
      );
      const answers = await Promise.all(changes);
      expect(answers.toSorted((a, b) => a - b)).toEqual(answers.map((_, at) => at));
      expect((await again().read()).sessions).toHaveLength(20);
    });
  });
}
