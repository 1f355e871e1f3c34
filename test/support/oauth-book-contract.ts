import { describe, expect, it } from 'vitest';
import { vaultPath } from '../../src/base/vault-path.ts';
import type {
  EnteredClient,
  Grant,
  OAuthBook,
  TokenPair,
} from '../../src/oauth/ports/oauth-book.ts';

/** A hash that consists of one digit. */
export const hash = (digit: string): string => digit.repeat(64);
const pair: TokenPair = { access: hash('a'), refresh: hash('b'), madeMs: 1, accessEndsMs: 2 };
export const grant: Grant = {
  id: 'g0123456789abcdef',
  client: { id: 'c', name: 'Ü 日 "<', kind: 'registered', answersTo: 'this computer' },
  vaults: ['/notes'],
  effects: ['read', 'propose'],
  folders: [vaultPath('Ü/日'), ''],
  tools: ['notes', 'agent'],
  endsMs: 9,
  resource: 'https://vault.example.com/mcp',
  createdMs: 1,
  usedMs: 2,
  ended: { atMs: 3, why: 'revoked' },
  pairs: [
    pair,
    {
      ...pair,
      access: hash('c'),
      refresh: hash('d'),
      from: hash('b'),
      effects: ['read'],
      spentMs: 1,
      usedMs: 1,
      isFollowed: true,
      droppedMs: 1,
    },
  ],
};
export const other: Grant = {
  ...grant,
  id: 'gfedcba9876543210',
  pairs: [{ ...pair, access: hash('e'), refresh: hash('f') }],
};
const client: EnteredClient = {
  id: 'vde_1',
  name: 'Mine',
  redirectUris: ['https://a.example/cb'],
  secret: hash('1'),
  createdMs: 1,
};

/** Keeps a grant. */
export const put = (book: OAuthBook, kept: Grant): Promise<string> =>
  book.change(kept.id, () => ({ keep: kept, answer: 'done' }));

/** What every `OAuthBook` promises. `open` makes an empty one, and answers how to open it again. */
export function describeOAuthBook(name: string, open: () => () => OAuthBook): void {
  describe(`${name} as a book of grants`, () => {
    it('is empty at first', async () => {
      const book = open()();
      expect(await book.grants()).toEqual([]);
      expect(await book.clients()).toEqual([]);
      expect(await book.grant(grant.id)).toBeUndefined();
      expect(await book.grantOf(hash('a'))).toBeUndefined();
    });

    it('has one key, for all who open it, before and after changes', async () => {
      const again = open();
      const [one, two] = await Promise.all([again().key(), again().key()]);
      expect(one).toHaveLength(32);
      expect(two).toEqual(one);
      await put(again(), grant);
      expect(await again().key()).toEqual(one);
    });

    it('gives back what it keeps, by id and by each hash', async () => {
      const again = open();
      const [here, there] = [again(), again()];
      expect(await put(here, grant)).toBe('done');
      await put(here, other);
      for (const book of [here, there, again()]) {
        expect(await book.grants()).toEqual([grant, other]);
        expect(await book.grant(grant.id)).toEqual(grant);
        for (const digit of 'abcd') expect(await book.grantOf(hash(digit))).toEqual(grant);
        for (const digit of 'ef') expect(await book.grantOf(hash(digit))).toEqual(other);
        expect(await book.grantOf(hash('0'))).toBeUndefined();
      }
    });

    it('replaces a grant, and forgets its former hashes', async () => {
      const again = open();
      const [here, there] = [again(), again()];
      await put(here, grant);
      await put(here, other);
      await put(there, { ...grant, pairs: [pair] });
      expect(await here.grants()).toEqual([{ ...grant, pairs: [pair] }, other]);
      expect(await here.grantOf(hash('c'))).toBeUndefined();
    });

    it('forgets a grant', async () => {
      const again = open();
      await put(again(), grant);
      await put(again(), other);
      await again().change(grant.id, () => ({ keep: 'forget', answer: undefined }));
      await again().change('g0', () => ({ keep: 'forget', answer: undefined }));
      expect(await again().grants()).toEqual([other]);
      expect(await again().grantOf(hash('a'))).toBeUndefined();
    });

    it('writes nothing when nothing is to be kept', async () => {
      const again = open();
      await put(again(), grant);
      const seen = await again().change(grant.id, (found) => ({ answer: found }));
      expect(seen).toEqual(grant);
      expect(await again().change('g0', (found) => ({ answer: found }))).toBeUndefined();
      expect(await again().grants()).toEqual([grant]);
    });

    it('loses no change of many at once, from two who opened it', async () => {
      const again = open();
      const [here, there] = [again(), again()];
      await put(here, { ...grant, createdMs: 0 });
      const add = (book: OAuthBook): Promise<number> =>
        book.change(grant.id, (found) => {
          const createdMs = (found?.createdMs ?? 0) + 1;
          return { keep: { ...grant, createdMs }, answer: createdMs };
        });
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, at) => add(at % 2 ? here : there)),
      );
      expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
      expect((await there.grant(grant.id))?.createdMs).toBe(20);
    });

    it('is as before when a decision fails', async () => {
      const again = open();
      await put(again(), grant);
      const failing = again().change(grant.id, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow();
      expect(await again().grants()).toEqual([grant]);
      expect(await put(again(), other)).toBe('done');
    });

    it('keeps clients beside the grants', async () => {
      const again = open();
      await put(again(), grant);
      const added = again().changeClients((clients) => ({
        keep: [...clients, client],
        answer: clients.length,
      }));
      expect(await added).toBe(0);
      expect(await again().clients()).toEqual([client]);
      expect(await again().changeClients((clients) => ({ answer: clients }))).toEqual([client]);
      expect(await again().grants()).toEqual([grant]);
      await again().changeClients(() => ({ keep: [], answer: undefined }));
      expect(await again().clients()).toEqual([]);
    });
  });
}
