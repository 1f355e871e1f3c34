import { describe, expect, onTestFinished, test } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import type { ChangeStep, StateStore } from '../../src/engine/ports/state-store.ts';
import { change, idsOf, make, move, save, startMs, textOf, write } from './change-records.ts';

/** How every `StateStore` joins saves. */
export function describeFolding(name: string, open: () => Promise<StateStore>): void {
  describe(`saves in ${name}`, () => {
    const opened = async () => {
      const store = await open();
      onTestFinished(() => store.close());
      return store;
    };

    const later = (ms: number) => ({ timeMs: startMs + ms });

    const joined: readonly [why: string, saves: (store: StateStore) => Promise<unknown>][] = [
      ['two saves of one file', (store) => save(store, { before: 'b', after: 'c' })],
      [
        'one almost five minutes later',
        (store) => save(store, { before: 'b', after: 'c', more: later(limits.historyFoldMs - 1) }),
      ],
      [
        'one after a change of another file',
        async (store) => {
          const id = await make(store, change([write('A.md.md', 'x', 'y')]));
          await save(store, { before: 'b', after: 'c' });
          expect(await idsOf(store)).toContain(id);
        },
      ],
    ];

    test.each(joined)('%s become one change', async (_, saves) => {
      const store = await opened();
      const first = await save(store, { before: 'a', after: 'b' });
      await saves(store);
      expect(await idsOf(store)).not.toContain(first);
      const { items } = await store.changes({ path: vaultPath('A.md') }, { limit: 10, offset: 0 });
      expect(items.map(({ steps }) => steps)).toEqual([[write('A.md', 'a', 'c')]]);
    });

    const apart: readonly [why: string, saves: (store: StateStore) => Promise<unknown>][] = [
      [
        'of another client',
        (store) => save(store, { before: 'b', after: 'c', more: { client: 'another' } }),
      ],
      [
        'of a client without a name on another connection',
        (store) => save(store, { before: 'b', after: 'c', more: { connection: 'another' } }),
      ],
      [
        'through another door',
        (store) => save(store, { before: 'b', after: 'c', more: { door: 'bridge' } }),
      ],
      [
        'with another token',
        (store) => save(store, { before: 'b', after: 'c', more: { token: 'another' } }),
      ],
      [
        'with another tool',
        (store) => save(store, { before: 'b', after: 'c', more: { tool: 'update' } }),
      ],
      [
        'that is not to be folded',
        (store) => save(store, { before: 'b', after: 'c', more: { fold: false } }),
      ],
      ['of another file', (store) => save(store, { before: 'b', after: 'c', path: 'B.md' })],
      ['of another spelling', (store) => save(store, { before: 'b', after: 'c', path: 'a.md' })],
      [
        'of a text that was changed between by someone else',
        (store) => save(store, { before: 'x', after: 'c' }),
      ],
      [
        'five minutes later',
        (store) => save(store, { before: 'b', after: 'c', more: later(limits.historyFoldMs) }),
      ],
      ['before its time', (store) => save(store, { before: 'b', after: 'c', more: later(-1) })],
      [
        'that left the file to an editor',
        (store) => save(store, { before: 'b', after: 'c', kept: [vaultPath('A.md')] }),
      ],
      [
        'after the file was moved away and back',
        async (store) => {
          await make(store, change([move('move', 'A.md', 'B.md')]));
          await make(store, change([move('move', 'B.md', 'A.md')]));
          await save(store, { before: 'b', after: 'c' });
        },
      ],
      [
        'after it was undone',
        async (store) => {
          await make(store, change([], { undoes: [1] }));
          await save(store, { before: 'b', after: 'c' });
        },
      ],
      [
        'that is an undo',
        (store) => save(store, { before: 'b', after: 'c', more: { undoes: [1] } }),
      ],
    ];

    test.each(apart)('a save %s stays a change of its own', async (_, saves) => {
      const store = await opened();
      const first = await save(store, { before: 'a', after: 'b' });
      await saves(store);
      const ids = await idsOf(store);
      expect(ids).toContain(first);
      expect(ids.length).toBeGreaterThan(1);
    });

    test('a client with a name is the same on another connection', async () => {
      const store = await opened();
      const more = { client: 'plugin', connection: 'one' };
      await save(store, { before: 'a', after: 'b', more });
      await save(store, { before: 'b', after: 'c', more: { ...more, connection: 'two' } });
      expect(await idsOf(store)).toHaveLength(1);
    });

    test('folding ends five minutes after the first save, not after the last', async () => {
      const store = await opened();
      const step = limits.historyFoldMs * 0.6;
      await save(store, { before: 'a', after: 'b' });
      await save(store, { before: 'b', after: 'c', more: later(step) });
      await save(store, { before: 'c', after: 'd', more: later(step * 2) });
      const { items } = await store.changes({}, { limit: 10, offset: 0 });
      expect(items.map(({ steps }) => steps)).toEqual([
        [write('A.md', 'c', 'd')],
        [write('A.md', 'a', 'c')],
      ]);
    });

    test('saves after a creation are folded into it', async () => {
      const store = await opened();
      await save(store, { before: undefined, after: 'b' });
      await save(store, { before: 'b', after: 'c' });
      const { items } = await store.changes({}, { limit: 10, offset: 0 });
      expect(items.map(({ steps }) => steps)).toEqual([[write('A.md', undefined, 'c')]]);
      expect(await textOf(store, 'b')).toBeUndefined();
    });

    test.each([
      ['the first', [true, false], true],
      ['the second', [false, true], true],
      ['neither', [false, false], undefined],
    ] as const)(
      '%s of two saves gave the whole text: the joined one says so',
      async (_, given, whole) => {
        const store = await opened();
        const texts = ['a', 'b', 'c'];
        for (const [n, isWhole] of given.entries()) {
          const step = {
            ...write('A.md', texts[n], texts[n + 1] ?? ''),
            ...(isWhole && { whole: true }),
          };
          await make(store, change([step as ChangeStep], { fold: true, door: 'remote' }));
        }
        const { items } = await store.changes({}, { limit: 10, offset: 0 });
        const expected = { ...write('A.md', 'a', 'c'), ...(whole && { whole }) };
        expect(items.map(({ steps }) => steps)).toEqual([[expected]]);
      },
    );

    test('a file that joined saves have made was not overwritten', async () => {
      const store = await opened();
      await save(store, { before: undefined, after: 'b' });
      const step = { ...write('A.md', 'b', 'c'), whole: true } as ChangeStep;
      await make(store, change([step], { fold: true, door: 'remote' }));
      const { items } = await store.changes({}, { limit: 10, offset: 0 });
      expect(items.map(({ steps }) => steps)).toEqual([[write('A.md', undefined, 'c')]]);
    });
  });
}
