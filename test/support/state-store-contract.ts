import { describe, expect, onTestFinished, test } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import type { ChangeFilter, ChangeStep, StateStore } from '../../src/engine/ports/state-store.ts';
import {
  change,
  idsOf,
  make,
  move,
  put,
  remove,
  save,
  startMs,
  textOf,
  write,
} from './change-records.ts';

/** What every `StateStore` promises. `open` makes an empty one. */
export function describeStateStore(name: string, open: () => Promise<StateStore>): void {
  describe(`history in ${name}`, () => {
    const opened = async () => {
      const store = await open();
      onTestFinished(() => store.close());
      return store;
    };

    test('is empty at first', async () => {
      const store = await opened();
      expect(await store.latest()).toBe(0);
      expect(await store.unfinished()).toEqual([]);
      expect(await store.changes({}, { limit: 10, offset: 0 })).toEqual({ total: 0, items: [] });
      expect(await textOf(store, 'never kept')).toBeUndefined();
    });

    test('answers a change as it was written down', async () => {
      const store = await opened();
      const made = change(
        [
          { do: 'makeFolder', path: vaultPath('Ünï') },
          write('Ünï/a.md', undefined, 'a'),
          { ...write('b.md', 'b', 'b2'), whole: true } as ChangeStep,
          remove('c.md', 'c'),
          move('move', 'd.md', 'Ünï/d.md'),
          move('moveFolder', 'e', 'f'),
          { do: 'dropFolder', path: vaultPath('g') },
        ],
        {
          client: 'Claude',
          connection: 's-1',
          token: 'phone',
          args: { name: 'NUL \0, a lone \ud800, "quotes"', all: true, n: [1] },
        },
      );
      const id = await store.begin(made, 'staging', []);
      expect(await store.unfinished()).toEqual([{ ...made, id, state: 'staging', kept: [] }]);
      await store.mark(id, [put('a')]);
      expect(await store.unfinished()).toMatchObject([{ id, state: 'marked' }]);
      await store.unmark(id);
      expect(await store.unfinished()).toMatchObject([{ id, state: 'undoing' }]);
      expect(await store.latest()).toBe(0);
      expect(await idsOf(store)).toEqual([]);
      await store.finish(id, [vaultPath('b.md')]);
      expect(await store.unfinished()).toEqual([]);
      expect(await store.latest()).toBe(id);
      expect(await store.changes({}, { limit: 10, offset: 0 })).toEqual({
        total: 1,
        items: [{ ...made, id, state: 'done', kept: ['b.md'] }],
      });
    });

    test('keeps a client’s name readable, whatever it calls itself', async () => {
      const store = await opened();
      await make(store, change([], { client: 'a\0b\ud800c' }));
      const { items } = await store.changes({}, { limit: 1, offset: 0 });
      expect(items[0]?.client).toBe('a\ufffdb\ufffdc');
    });

    test('lists what is unfinished oldest first and what is finished newest first, in pages', async () => {
      const store = await opened();
      const open = [
        await store.begin(change([]), 'single', []),
        await store.begin(change([]), 'staging', []),
      ];
      const done = [await make(store, change([])), await make(store, change([])), 0];
      expect((await store.unfinished()).map(({ id }) => id)).toEqual(open);
      const page = await store.changes({}, { limit: 1, offset: 1 });
      expect([page.total, page.items.map(({ id }) => id)]).toEqual([2, [done[0]]]);
    });

    test('never uses the number of a dropped change again', async () => {
      const store = await opened();
      const first = await store.begin(change([write('a.md', 'a', 'b')]), 'single', [put('a')]);
      await store.drop(first);
      expect(await store.unfinished()).toEqual([]);
      expect(await make(store, change([]))).toBeGreaterThan(first);
    });

    test('forgets the contents of a dropped change, unless another change needs them', async () => {
      const store = await opened();
      await make(store, change([write('a.md', undefined, 'shared')]), {
        contents: [put('shared')],
      });
      const contents = [put('shared'), put('own', 'shared')];
      const id = await store.begin(change([write('a.md', 'shared', 'own')]), 'single', contents);
      expect(await textOf(store, 'own')).toBe('own');
      await store.drop(id);
      expect(await textOf(store, 'own')).toBeUndefined();
      expect(await textOf(store, 'shared')).toBe('shared');
    });

    test('refuses to change what is history', async () => {
      const store = await opened();
      const id = await make(store, change([]));
      await expect(store.mark(id, [])).rejects.toThrow('history');
      await expect(store.finish(id, [])).rejects.toThrow('history');
      await expect(store.drop(id)).rejects.toThrow('history');
      await expect(store.drop(id + 1)).rejects.toThrow('known');
      expect(await idsOf(store)).toEqual([id]);
    });

    describe('filters', () => {
      const made = [
        change([write('Notes/a.md', 'a', 'b')], { client: 'x', connection: 's1', token: 't1' }),
        change([move('move', 'Notes/b.md', 'Other/c.md')], { client: 'x', connection: 's2' }),
        change([move('moveFolder', 'Notes/Sub', 'Moved/Sub')], {
          client: 'y',
          token: 't1',
          timeMs: startMs + 5,
        }),
        change([{ do: 'makeFolder', path: vaultPath('Notes') }], {
          door: 'bridge',
          client: 'NUL \0',
          timeMs: startMs + 9,
        }),
        change([write('Notes 2/é.md', 'a', 'b')], { timeMs: startMs + 9 }),
      ];
      const rows: readonly [filter: ChangeFilter, expected: readonly number[]][] = [
        [{}, [5, 4, 3, 2, 1]],
        [{ ids: [1, 3, 77] }, [3, 1]],
        [{ ids: [] }, []],
        [{ clientNames: ['x'] }, [2, 1]],
        [{ clientNames: ['x'], connection: 's2' }, [2]],
        [{ connection: 'none' }, []],
        [{ clientNames: ['NUL \0'] }, [4]],
        [{ token: 't1' }, [3, 1]],
        [{ token: 't1', sinceMs: startMs + 1 }, [3]],
        [{ token: 't2' }, []],
        [{ door: 'bridge' }, [4]],
        [{ door: 'cli', clientNames: ['x'] }, [2, 1]],
        [{ sinceMs: startMs + 10 }, []],
        [{ sinceMs: startMs + 5 }, [5, 4, 3]],
        [{ after: 3 }, [5, 4]],
        [{ before: 3 }, [2, 1]],
        [{ before: 4, after: 1 }, [3, 2]],
        [{ untilMs: startMs + 5 }, [2, 1]],
        [{ untilMs: startMs + 9, sinceMs: startMs + 5 }, [3]],
        [{ undone: false }, [5, 4, 3, 2, 1]],
        [{ undone: true }, []],
        [{ path: '' }, [5, 4, 3, 2, 1]],
        [{ path: vaultPath('Notes') }, [4, 3, 2, 1]],
        [{ path: vaultPath('notes/A.md') }, [1]],
        [{ path: vaultPath('Other') }, [2]],
        [{ path: vaultPath('Other/c.md') }, [2]],
        [{ path: vaultPath('Notes/Sub/deep/x.md') }, [3]],
        [{ path: vaultPath('Moved/Sub/x.md') }, [3]],
        [{ path: vaultPath('Moved') }, [3]],
        [{ path: vaultPath('Notes 2/e\u0301.md') }, [5]],
        [{ path: vaultPath('Note') }, []],
        [{ path: vaultPath('Notes'), after: 2, clientNames: ['y'] }, [3]],
      ];
      test.each(rows)('%j finds %j', async (filter, expected) => {
        const store = await opened();
        for (const one of made) await make(store, one);
        expect(await idsOf(store, filter)).toEqual(expected);
        const { total } = await store.changes(filter, { limit: 0, offset: 0 });
        expect(total).toBe(expected.length);
      });
    });

    test('finds a client by its name, whatever its version', async () => {
      const store = await opened();
      const clients = [
        'x',
        'x/1',
        'x/2.0',
        'xy/1',
        'x/a/1',
        'X/1',
        'x 0/1',
        'e\u0301/1',
        undefined,
      ];
      for (const client of clients) await make(store, change([], client ? { client } : {}));
      expect(await idsOf(store, { clientNames: ['x'] })).toEqual([3, 2, 1]);
      expect(await idsOf(store, { clientNames: ['x/a'] })).toEqual([5]);
      expect(await idsOf(store, { clientNames: ['e\u0301'] })).toEqual([8]);
      expect(await idsOf(store, { clientNames: ['x/1'] })).toEqual([2]);
      expect(await idsOf(store, { clientNames: [''] })).toEqual([]);
    });

    test('leaves out the undos that came through a door, unless they are of a part', async () => {
      const store = await opened();
      await make(store, change([]));
      await make(store, change([], { undoes: [1] }));
      await make(store, change([]));
      await make(store, change([], { undoes: [3], partly: [3] }));
      await make(store, change([], { undoes: [3], door: 'bridge' }));
      expect(await idsOf(store, { withoutUndosBy: ['cli', 'console'] })).toEqual([5, 4, 3, 1]);
      expect(await idsOf(store, { withoutUndosBy: [] })).toEqual([5, 4, 3, 2, 1]);
      expect(await idsOf(store, { undone: true })).toEqual([3, 1]);
      expect(await idsOf(store, { undoing: [3] })).toEqual([5, 4]);
      expect(await idsOf(store, { undoing: [5, 1, 3] })).toEqual([5, 4, 2]);
      expect(await idsOf(store, { undoing: [5] })).toEqual([]);
    });

    test('sums changes up without their steps', async () => {
      const store = await opened();
      const steps = [
        { do: 'makeFolder', path: vaultPath('F') } as const,
        write('a.md', 'a', 'b'),
        move('move', 'a.md', 'F/c.md'),
        write('d.md', undefined, 'd'),
      ];
      await make(store, change(steps, { client: 'x/1', connection: 's1', token: 't1' }));
      await make(store, change([], { undoes: [1], timeMs: startMs + 1 }));
      const [undo, first, ...rest] = await store.summaries({}, 5);
      expect(rest).toEqual([]);
      expect(undo).toEqual({ id: 2, timeMs: startMs + 1, door: 'cli', isUndo: true, files: 0 });
      expect(first).toEqual({
        ...{ id: 1, timeMs: startMs, door: 'cli', client: 'x/1', connection: 's1', token: 't1' },
        ...{ undoneBy: 2, isUndo: false, files: 2 },
      });
      expect(await store.summaries({}, 1)).toEqual([undo]);
      expect(await store.summaries({ connection: 's1' }, 5)).toEqual([first]);
    });

    describe('undo', () => {
      /** What each change takes back, in order; then which change each is undone by. */
      const rows: readonly [
        name: string,
        undoes: readonly (readonly number[])[],
        expected: readonly (number | undefined)[],
      ][] = [
        ['one change', [[], [], [1]], [3, undefined, undefined]],
        ['several', [[], [], [2, 1]], [3, 3, undefined]],
        ['an undo: what it took back counts again', [[], [1], [2]], [undefined, 3, undefined]],
        ['an undo of an undo of an undo', [[], [1], [2], [3]], [2, undefined, 4, undefined]],
        ['again after a redo', [[], [1], [2], [1]], [4, 3, undefined, undefined]],
        [
          'a redo of what was undone anew',
          [[], [1], [2], [1], [3]],
          [4, undefined, 5, undefined, undefined],
        ],
        ['a change that is no more', [[], [77, 1]], [2, undefined]],
      ];
      test.each(rows)('of %s', async (_name, undoes, expected) => {
        const store = await opened();
        for (const ids of undoes) {
          await make(store, change([], ids.length === 0 ? {} : { undoes: ids }));
        }
        const { items } = await store.changes({}, { limit: 100, offset: 0 });
        expect(items.map(({ undoneBy }) => undoneBy).reverse()).toEqual(expected);
        expect(items.map((item) => item.undoes ?? []).reverse()).toEqual(undoes);
      });

      test('of a part leaves the change as it is for others', async () => {
        const store = await opened();
        const [first, second] = [await make(store, change([])), await make(store, change([]))];
        const undo = await make(store, change([], { undoes: [first, second], partly: [second] }));
        const rows = async () => (await store.changes({}, { limit: 9, offset: 0 })).items;
        expect((await rows()).map(({ undoneBy }) => undoneBy)).toEqual([
          undefined,
          undefined,
          undo,
        ]);
        expect((await rows())[0]).toMatchObject({ undoes: [first, second], partly: [second] });
        await make(store, change([], { undoes: [undo] }));
        const after = (await rows()).map(({ undoneBy }) => undoneBy);
        expect(after).toEqual([undefined, undo + 1, undefined, undefined]);
      });

      test('counts only once it is finished', async () => {
        const store = await opened();
        const id = await make(store, change([]));
        const undo = await store.begin(change([], { undoes: [id] }), 'single', []);
        const undoneBy = async () =>
          (await store.changes({ ids: [id] }, { limit: 1, offset: 0 })).items[0]?.undoneBy;
        expect(await undoneBy()).toBeUndefined();
        await store.finish(undo, []);
        expect(await undoneBy()).toBe(undo);
      });
    });

    test('keeps one key for words, and the latest of those who were given words', async () => {
      const store = await opened();
      const { key, readers } = await store.wordKey();
      expect({ length: key.length, readers }).toEqual({ length: 32, readers: [] });
      expect((await store.wordKey('one')).readers).toEqual(['one']);
      expect(await store.wordKey('two')).toEqual({ key, readers: ['two', 'one'] });
      expect(await store.wordKey('one')).toEqual({ key, readers: ['two', 'one'] });
      for (let n = 0; n < limits.wordReadersMax; n += 1) await store.wordKey(`more ${n}`);
      const all = await store.wordKey();
      expect(all.readers).toHaveLength(limits.wordReadersMax);
      expect(all.readers).not.toContain('two');
    });

    test('forgets a save that was folded into the next, with what only it needed', async () => {
      const store = await opened();
      await save(store, { before: 'one', after: 'two' });
      const id = await save(store, { before: 'two', after: 'three' });
      const { items } = await store.changes({}, { limit: 10, offset: 0 });
      expect(items).toMatchObject([{ id, steps: [write('A.md', 'one', 'three')] }]);
      expect(await textOf(store, 'one')).toBe('one');
      expect(await textOf(store, 'two')).toBeUndefined();
      expect(await textOf(store, 'three')).toBe('three');
    });
  });
}
