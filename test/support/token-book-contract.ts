import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import type { TokenBook } from '../../src/oauth/ports/token-book.ts';
import { failureOf } from './failure-of.ts';

/** What a token may do that was made without options. */
export const everything = { effects: allScopes.effects, folders: allScopes.folders };

/** The hash by which a token is found. */
export const hashOf = (token: string): Uint8Array => createHash('sha256').update(token).digest();

/**
 * What every `TokenBook` promises. `open` makes an empty one, and answers how to open it again, at a
 * time that a test may change.
 */
export function describeTokenBook(
  name: string,
  open: () => (clock?: { readonly nowMs: number }) => TokenBook,
): void {
  describe(`a token in ${name}`, () => {
    it('is found by its hash', async () => {
      const book = open()();
      const scopes = { effects: ['read'], folders: [vaultPath('devlog')] } as const;
      const { token, kept } = await book.create({ name: 'laptop', ...scopes });
      expect(token).toMatch(/^vd_[\w-]{43}$/);
      expect(kept).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        name: 'laptop',
        ...scopes,
        createdMs: 1_000,
      });
      expect(await book.find(hashOf(token))).toEqual({ id: kept.id, scopes });
      expect(await book.list()).toEqual([kept]);
    });

    it('is not found when it is another, or only its beginning is right', async () => {
      const book = open()();
      const { token } = await book.create({ name: 'laptop', ...everything });
      expect(await book.find(hashOf(`${token}x`))).toBeUndefined();
      expect(await book.find(hashOf('vd_'))).toBeUndefined();
    });

    it.each(['id', 'name'] as const)(
      'counts no more at once when it is revoked elsewhere by its %s',
      async (by) => {
        const again = open();
        const serving = again();
        const { token, kept } = await serving.create({ name: 'laptop', ...everything });
        const other = await serving.create({ name: 'phone', ...everything });
        expect(await serving.find(hashOf(token))).toBeDefined();
        expect(await again().revoke(kept[by])).toEqual(kept);
        expect(await serving.find(hashOf(token))).toBeUndefined();
        expect(await serving.isValid(kept.id)).toBe(false);
        expect(await serving.isValid(other.kept.id)).toBe(true);
      },
    );

    it('ends at its time, and is listed all the same', async () => {
      const clock = { nowMs: 1_000 };
      const book = open()(clock);
      const { token, kept } = await book.create({ name: 'guest', ...everything, expiresMs: 2_000 });
      clock.nowMs = 1_999;
      expect(await book.isValid(kept.id)).toBe(true);
      clock.nowMs = 2_000;
      expect(await book.find(hashOf(token))).toBe('ended');
      expect(await book.isValid(kept.id)).toBe(false);
      expect(await book.list()).toEqual([kept]);
    });

    it('may be for certain toolsets', async () => {
      const book = open()();
      const { token, kept } = await book.create({ name: 'a', ...everything, tools: ['notes'] });
      expect(kept.tools).toEqual(['notes']);
      expect(await book.find(hashOf(token))).toMatchObject({ id: kept.id, tools: ['notes'] });
      const all = await book.create({ name: 'b', ...everything });
      expect(await book.find(hashOf(all.token))).not.toHaveProperty('tools');
    });

    it('has a name that no other has', async () => {
      const book = open()();
      const { kept } = await book.create({ name: 'laptop', ...everything });
      const error = await failureOf(book.create({ name: 'laptop', ...everything }));
      expect(error.code).toBe('already_exists');
      expect(await book.list()).toEqual([kept]);
    });

    it('says that there is no such token', async () => {
      const error = await failureOf(open()().revoke('laptop'));
      expect(error.code).toBe('not_found');
    });

    it('asks for the id where an id and a name are the same', async () => {
      const book = open()();
      const { kept } = await book.create({ name: 'laptop', ...everything });
      await book.create({ name: kept.id, ...everything });
      expect((await failureOf(book.revoke(kept.id))).code).toBe('ambiguous');
    });
  });
}
