import { describe, expect, it } from 'vitest';
import type { SessionBook } from '../../src/base/session-book.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * What every `SessionBook` promises. `open` makes an empty one, and answers how to open it again, as
 * a server does after a restart.
 */
export function describeSessionBook(name: string, open: () => () => SessionBook): void {
  describe(`${name} as a book of sessions`, () => {
    it('has one key, also after a restart', async () => {
      const again = open();
      const key = await again().key();
      expect(key).toHaveLength(32);
      expect(await again().key()).toEqual(key);
    });

    it('remembers which sessions were deleted', async () => {
      const again = open();
      await again().deleted('a', Date.now() + dayMs);
      expect(await again().isDeleted('a')).toBe(true);
      expect(await again().isDeleted('b')).toBe(false);
    });

    it('gives back what it keeps of a session, also after a restart', async () => {
      const again = open();
      const memory = { resources: ['vault:///A.md', 'vault:///Ü 日.md'], logLevel: 'info' };
      expect(await again().recall('a')).toBeUndefined();
      await again().keep('a', memory);
      await again().keep('b', { resources: ['vault:///B.md'] });
      expect(await again().recall('a')).toEqual(memory);
      expect(await again().recall('b')).toEqual({ resources: ['vault:///B.md'] });
    });

    it('keeps the last that it was given, and nothing when there is nothing', async () => {
      const again = open();
      await again().keep('a', { resources: ['x:1', 'x:2'] });
      await again().keep('a', { resources: ['x:2'], logLevel: 'error' });
      expect(await again().recall('a')).toEqual({ resources: ['x:2'], logLevel: 'error' });
      await again().keep('a', { resources: [] });
      expect(await again().recall('a')).toBeUndefined();
      await again().keep('a', { resources: [] });
    });

    it('forgets what it keeps of a session that is deleted', async () => {
      const again = open();
      const book = again();
      await book.keep('a', { resources: ['x:1'] });
      await book.deleted('a', Date.now() + dayMs);
      expect(await again().recall('a')).toBeUndefined();
    });

    it('keeps names that are no names of files', async () => {
      const again = open();
      for (const id of ['../a', 'A'.repeat(500), 'a/b', '']) {
        await again().keep(id, { resources: [`x:${id}`] });
        expect(await again().recall(id)).toEqual({ resources: [`x:${id}`] });
      }
    });
  });
}
