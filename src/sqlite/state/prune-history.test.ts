import { statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
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
} from '../../../test/support/change-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { HistoryBounds, NewChange, StateStore } from '../../engine/ports/state-store.ts';
import { openSqliteState } from './sqlite-state-store.ts';

async function opened(): Promise<StateStore> {
  const store = await openSqliteState({ file: ':memory:' });
  onTestFinished(() => store.close());
  return store;
}

const dayMs = 24 * 60 * 60_000;
/** A thousand bytes that cannot be packed, more or less. */
const noise = (name: string) =>
  Array.from({ length: 40 }, (_, i) => versionOf(name + i))
    .join('')
    .slice(0, 2_000);
const at = (days: number): Partial<NewChange> => ({ timeMs: startMs + days * dayMs });
const bounds = (more: Partial<HistoryBounds>): HistoryBounds => ({
  nowMs: startMs + 100 * dayMs,
  ageMaxMs: 90 * dayMs,
  bytesMax: Number.MAX_SAFE_INTEGER,
  keepMs: 7 * dayMs,
  ...more,
});

/** One change a day apart, each of which makes a note with a text of its own. */
async function days(store: StateStore, numbers: readonly number[]): Promise<void> {
  for (const day of numbers) {
    const name = `day ${day}`;
    await make(store, change([write(`${name}.md`, undefined, noise(name))], at(day)), {
      contents: [put(noise(name))],
    });
  }
}

test('what is within the bounds stays', async () => {
  const store = await opened();
  await days(store, [10, 50, 100]);
  await store.prune(bounds({ bytesMax: 10_000 }));
  expect(await idsOf(store)).toEqual([3, 2, 1]);
});

test('what is too old goes with its contents, deleted files too', async () => {
  const store = await opened();
  await days(store, [1, 9, 10]);
  await make(store, change([remove('x.md', noise('x'))], at(2)), { contents: [put(noise('x'))] });
  await store.prune(bounds({}));
  expect(await idsOf(store)).toEqual([3]);
  expect(await textOf(store, noise('day 9'))).toBeUndefined();
  expect(await textOf(store, noise('x'))).toBeUndefined();
  expect(await textOf(store, noise('day 10'))).toBe(noise('day 10'));
});

test('over the bytes, the oldest go until the rest fits', async () => {
  const store = await opened();
  await days(store, [20, 30, 40, 50]);
  await store.prune(bounds({ bytesMax: 2_500 }));
  expect(await idsOf(store)).toEqual([4, 3]);
  expect(await textOf(store, noise('day 30'))).toBeUndefined();
  expect(await textOf(store, noise('day 40'))).toBe(noise('day 40'));
});

test('over the bytes, the last seven days stay', async () => {
  const store = await opened();
  await days(store, [20, 93, 94, 100]);
  await store.prune(bounds({ bytesMax: 0 }));
  expect(await idsOf(store)).toEqual([4, 3, 2]);
});

test('over the bytes, a deleted file stays, unless the deletion was undone', async () => {
  const store = await opened();
  for (const [name, day] of [
    ['lost', 20],
    ['back', 21],
  ] as const) {
    await make(store, change([remove(`${name}.md`, noise(name))], at(day)), {
      contents: [put(noise(name))],
    });
  }
  const again = change([write('back.md', undefined, noise('back'))], { ...at(22), undoes: [2] });
  await make(store, again, { contents: [put(noise('back'))] });
  await days(store, [30]);
  await store.prune(bounds({ bytesMax: 0 }));
  expect(await idsOf(store)).toEqual([1]);
  expect(await textOf(store, noise('lost'))).toBe(noise('lost'));
  expect(await textOf(store, noise('back'))).toBeUndefined();
});

test('a content that a younger change needs stays, also when it was kept as a difference', async () => {
  const store = await opened();
  const texts = ['', '+', '++', '+++'].map((more) => noise('note') + more);
  for (const [i, text] of texts.entries()) {
    const before = texts[i - 1];
    await make(store, change([write('a.md', before, text)], at(20 + i)), {
      contents: [put(text, before)],
    });
  }
  await store.prune(bounds({ nowMs: startMs + 112 * dayMs }));
  expect(await idsOf(store)).toEqual([4, 3]);
  expect(await textOf(store, texts[0] ?? '')).toBeUndefined();
  for (const text of texts.slice(1)) expect(await textOf(store, text)).toBe(text);
});

test('what is not finished is never pruned', async () => {
  const store = await opened();
  const contents = [put(noise('open'))];
  const id = await store.begin(change([write('a.md', noise('open'), 'b')]), 'single', contents);
  await store.prune(bounds({ bytesMax: 0 }));
  expect(await store.unfinished()).toMatchObject([{ id }]);
  expect(await textOf(store, noise('open'))).toBe(noise('open'));
});

test('the file gives back the space of what it forgot', async () => {
  const file = `${tempFolder()}/state.db`;
  const sizes: number[] = [];
  for (const prune of [false, true]) {
    const store = await openSqliteState({ file });
    if (!prune)
      await days(
        store,
        Array.from({ length: 200 }, (_, i) => i / 100),
      );
    else await store.prune(bounds({}));
    await store.close();
    sizes.push(statSync(file).size);
  }
  const [full = 0, pruned = 0] = sizes;
  expect(pruned).toBeLessThan(full / 2);
});
