import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  ContentPut,
  HistoryBounds,
  NewChange,
  StateStore,
} from '../../src/engine/ports/state-store.ts';
import {
  change,
  idsOf,
  make,
  put,
  remove,
  startMs,
  textOf,
  versionOf,
  write,
} from './change-records.ts';

export const dayMs = 24 * 60 * 60_000;
/** A thousand bytes that cannot be packed, more or less. */
export const noise = (name: string) =>
  Array.from({ length: 40 }, (_, i) => versionOf(name + i))
    .join('')
    .slice(0, 2_000);
export const at = (days: number): Partial<NewChange> => ({ timeMs: startMs + days * dayMs });
export const bounds = (more: Partial<HistoryBounds>): HistoryBounds => ({
  nowMs: startMs + 100 * dayMs,
  ageMaxMs: 90 * dayMs,
  bytesMax: Number.MAX_SAFE_INTEGER,
  keepMs: 7 * dayMs,
  ...more,
});

export const noted = (day: number) =>
  [
    change([write(`day ${day}.md`, undefined, noise(`day ${day}`))], at(day)),
    { contents: [put(noise(`day ${day}`))] },
  ] as const;
const deleted = (name: string, day: number) =>
  [change([remove(`${name}.md`, noise(name))], at(day)), { contents: [put(noise(name))] }] as const;

type Made = readonly [made: NewChange, options: { readonly contents: readonly ContentPut[] }];

/**
 * Makes changes in the order of their times, and every five days until `end` one without a content,
 * so that there is no long pause between them. Answers their numbers.
 */
export async function days(
  store: StateStore,
  changes: readonly Made[],
  end = 100,
): Promise<number[]> {
  const fillers = Array.from({ length: end / 5 + 1 }, (_, i): Made => {
    return [change([], at(i * 5)), { contents: [] }];
  });
  const all = [...changes, ...fillers].sort(([a], [b]) => a.timeMs - b.timeMs);
  const ids = new Map<NewChange, number>();
  for (const [made, options] of all) ids.set(made, await make(store, made, options));
  return changes.map(([made]) => ids.get(made) ?? 0);
}

/** Which of these changes are still there. */
async function left(store: StateStore, ids: readonly number[]): Promise<boolean[]> {
  const there = await idsOf(store);
  return ids.map((id) => there.includes(id));
}

/** How every `StateStore` keeps to its bounds. */
export function describePruning(name: string, open: () => Promise<StateStore>): void {
  describe(`pruning in ${name}`, () => {
    const opened = async () => {
      const store = await open();
      onTestFinished(() => store.close());
      return store;
    };

    test('what is within the bounds stays', async () => {
      const store = await opened();
      const ids = await days(store, [10, 50, 100].map(noted));
      await store.prune(bounds({ bytesMax: 10_000 }));
      expect(await left(store, ids)).toEqual([true, true, true]);
    });

    test('what is too old goes with its contents, deleted files too', async () => {
      const store = await opened();
      const ids = await days(store, [noted(1), deleted('x', 2), noted(9), noted(10)]);
      await store.prune(bounds({}));
      expect(await left(store, ids)).toEqual([false, false, false, true]);
      expect(await textOf(store, noise('day 9'))).toBeUndefined();
      expect(await textOf(store, noise('x'))).toBeUndefined();
      expect(await textOf(store, noise('day 10'))).toBe(noise('day 10'));
    });

    test('over the bytes, the oldest go until the rest fits', async () => {
      const store = await opened();
      const ids = await days(store, [20, 30, 40, 50].map(noted));
      await store.prune(bounds({ bytesMax: 2_500 }));
      expect(await left(store, ids)).toEqual([false, false, true, true]);
      expect(await textOf(store, noise('day 30'))).toBeUndefined();
      expect(await textOf(store, noise('day 40'))).toBe(noise('day 40'));
    });

    test('over the bytes, the last seven days stay', async () => {
      const store = await opened();
      const ids = await days(store, [20, 93, 94, 100].map(noted));
      await store.prune(bounds({ bytesMax: 0 }));
      expect(await left(store, ids)).toEqual([false, true, true, true]);
    });

    test('over the bytes, a deleted file stays, unless the deletion was undone', async () => {
      const store = await opened();
      const again = change([write('back.md', undefined, noise('back'))], {
        ...at(22),
        undoes: [7],
      });
      const ids = await days(store, [
        deleted('back', 21),
        deleted('lost', 20),
        [again, { contents: [put(noise('back'))] }],
      ]);
      expect(ids).toEqual([7, 5, 8]); // What `undoes` relies on.
      await store.prune(bounds({ bytesMax: 0 }));
      expect(await left(store, ids)).toEqual([false, true, false]);
      expect(await textOf(store, noise('lost'))).toBe(noise('lost'));
      expect(await textOf(store, noise('back'))).toBeUndefined();
    });

    test('a content that a younger change needs stays, also when it was kept as a difference', async () => {
      const store = await opened();
      const texts = ['', '+', '++', '+++'].map((more) => noise('note') + more);
      const made = texts.map((text, i): Made => {
        const before = texts[i - 1];
        return [
          change([write('a.md', before, text)], at(20 + i)),
          { contents: [put(text, before)] },
        ];
      });
      const ids = await days(store, made, 110);
      await store.prune(bounds({ nowMs: startMs + 112 * dayMs }));
      expect(await left(store, ids)).toEqual([false, false, true, true]);
      expect(await textOf(store, texts[0] ?? '')).toBeUndefined();
      for (const text of texts.slice(1)) expect(await textOf(store, text)).toBe(text);
    });

    describe('a wrong clock', () => {
      // Each row: on which days by the clock the last changes are made, after a hundred ordinary days.
      test.each<[what: string, clock: readonly number[]]>([
        ['is 91 days ahead', [191]],
        ['is years ahead, for several changes', [4_000, 4_000, 4_000]],
        ['was ahead and is right again', [191, 100]],
        ['is 91 days behind', [9]],
        ['was behind and is right again', [9, 9.5, 100]],
        ['jumps to and fro', [191, 9, 100, 300, 100]],
      ])('that %s makes nothing old', async (_, clock) => {
        for (const bytesMax of [Number.MAX_SAFE_INTEGER, 0]) {
          const store = await opened();
          // What a right clock would let go is gone before.
          const ids = await days(store, [deleted('x', 93.5), noted(94), noted(99)]);
          await store.prune(bounds({ bytesMax }));
          const before = (await idsOf(store)).toReversed();
          const wrong: number[] = [];
          for (const day of clock) {
            wrong.push(await make(store, ...noted(day)));
            await store.prune(bounds({ bytesMax, nowMs: startMs + day * dayMs }));
          }
          expect(await left(store, [...ids, ...wrong])).not.toContain(false);
          expect((await idsOf(store)).toReversed()).toEqual([...before, ...wrong]);
          expect(await textOf(store, noise('x'))).toBe(noise('x'));
        }
      });

      test('does not keep history for ever', async () => {
        const store = await opened();
        const ids = await days(store, [noted(20), noted(30)]);
        // A change of the far future lies between ordinary ones.
        ids.push(await make(store, ...noted(30_000)), await make(store, ...noted(101)));
        for (let day = 105; day <= 205; day += 5) await make(store, change([], at(day)));
        await store.prune(bounds({ nowMs: startMs + 205 * dayMs }));
        expect(await left(store, ids)).toEqual([false, false, false, false]);
      });

      test('a pause of months does not count', async () => {
        const store = await opened();
        const ids = await days(store, [noted(10), noted(20)]);
        const later = (day: number) => bounds({ nowMs: startMs + day * dayMs });
        await store.prune(later(300));
        await make(store, ...noted(300));
        await store.prune(later(300));
        expect(await left(store, ids)).toEqual([true, true]);
        // After 100 days of changes, 200 without any, and one more, the change of day 10 is 91 days old.
        await store.prune(later(301));
        expect(await left(store, ids)).toEqual([false, true]);
      });
    });

    test('what is not finished is never pruned', async () => {
      const store = await opened();
      const contents = [put(noise('open'))];
      const id = await store.begin(change([write('a.md', noise('open'), 'b')]), 'single', contents);
      await store.prune(bounds({ bytesMax: 0 }));
      expect(await store.unfinished()).toMatchObject([{ id }]);
      expect(await textOf(store, noise('open'))).toBe(noise('open'));
    });

    test('a history with a change every eight days is kept within its size too', async () => {
      const store = await opened();
      const ids: number[] = [];
      for (let day = 0; day < 40 * 8; day += 8) {
        ids.push(await make(store, ...noted(day)));
        await store.prune(
          bounds({ nowMs: startMs + day * dayMs, bytesMax: 1, ageMaxMs: 9_999 * dayMs }),
        );
      }
      const kept = (await left(store, ids)).filter((isKept) => isKept).length;
      expect(kept).toBeGreaterThan(1);
      expect(kept).toBeLessThan(15);
    });
  });
}
