import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type VaultPath, vaultPath } from '../../base/vault-path.ts';
import type { EmbeddedNote, MeaningStore } from '../../engine/ports/meaning.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openSqliteMeaning } from './sqlite-meaning-store.ts';

let folder = '';
const opened: MeaningStore[] = [];
beforeEach(() => {
  folder = tempFolder();
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(model = 'm'): Promise<MeaningStore> {
  const files = { file: join(folder, 'meaning.db'), leaseFile: join(folder, 'embed.db') };
  const store = await openSqliteMeaning({ ...files, model });
  opened.push(store);
  return store;
}

/** Numbers that look random, and are the same in every run. */
function vectorOf(seed: number, length = 64): Float32Array {
  return Float32Array.from({ length }, (_, at) =>
    Math.sin(seed * 7919 + at * 104729 + (at * seed) ** 2),
  );
}

function noteOf(name: string, ...seeds: readonly number[]): EmbeddedNote {
  const passages = seeds.map((seed, at) => ({
    line: 10 * at + 1,
    hash: seed.toString(16).padStart(32, '0'),
    vector: vectorOf(seed),
  }));
  return { path: vaultPath(`${name}.md`), stamp: 's', passages };
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

it('finds the same neighbours as exact numbers do, and how near they are within a hundredth', async () => {
  const store = await open();
  await store.put(Array.from({ length: 300 }, (_, at) => noteOf(`N${at}`, at + 1)));
  const query = vectorOf(4711);
  const exact = Array.from({ length: 300 }, (_, at) => cosine(query, vectorOf(at + 1)));
  const { notes } = await store.nearest(wholeVault, query, 300);
  expect(notes).toHaveLength(300);
  for (const { path, near } of notes) {
    expect(Math.abs(near - (exact[Number(/\d+/.exec(path)?.[0])] ?? 9))).toBeLessThan(0.01);
  }
  const best = exact.indexOf(Math.max(...exact));
  expect(notes[0]?.path).toBe(`N${best}.md`);
});

it('keeps vectors for the next process, and those of unchanged passages', async () => {
  const store = await open();
  await store.put([noteOf('A', 1, 2), noteOf('B', 3)]);
  const [hashes = []] = await store.hashes(['A.md' as VaultPath]);
  expect(hashes).toHaveLength(2);
  const { passages, ...rest } = noteOf('A', 1, 5);
  const [kept, fresh] = passages;
  if (kept === undefined || fresh === undefined) throw new Error('two passages');
  const { vector: _, ...withoutVector } = kept;
  await store.put([{ ...rest, stamp: 't', passages: [fresh, { ...withoutVector, line: 99 }] }]);
  const next = await open();
  expect((await next.nearest(wholeVault, vectorOf(1), 1)).notes[0]).toMatchObject({
    path: 'A.md',
    line: 99,
  });
  expect((await next.nearest(wholeVault, vectorOf(5), 1)).notes[0]).toMatchObject({
    path: 'A.md',
    line: 11,
  });
  expect((await next.nearest(wholeVault, vectorOf(2), 1)).notes[0]?.near).toBeLessThan(0.7);
  expect(await next.notes()).toEqual(
    expect.arrayContaining([
      ['A.md', 't'],
      ['B.md', 's'],
    ]),
  );
});

it('sees what another process writes and forgets', async () => {
  const [one, other] = [await open(), await open()];
  await one.put([noteOf('A', 1)]);
  expect((await other.nearest(wholeVault, vectorOf(1), 5)).notes).toHaveLength(1);
  await one.put([noteOf('B', 2)]);
  expect((await other.nearest(wholeVault, vectorOf(1), 5)).notes).toHaveLength(2);
  await one.forget([vaultPath('A.md')]);
  expect((await other.nearest(wholeVault, vectorOf(1), 5)).notes).toMatchObject([{ path: 'B.md' }]);
  expect(await one.tryLease()).toBe(true);
  expect(await other.tryLease()).toBe(false);
});

it('takes no vectors of another length', async () => {
  const store = await open();
  await store.put([noteOf('A', 1)]);
  const other = { line: 1, hash: '9'.repeat(32), vector: vectorOf(1, 32) };
  const note = { path: vaultPath('B.md'), stamp: 's', passages: [other] };
  await expect(store.put([note])).rejects.toMatchObject({ code: 'conflict' });
  const nearest = store.nearest(wholeVault, vectorOf(1, 32), 5);
  await expect(nearest).rejects.toMatchObject({ code: 'conflict' });
  await store.clear();
  await store.put([note]);
  expect((await store.nearest(wholeVault, vectorOf(1, 32), 5)).notes).toHaveLength(1);
});

it('throws away the vectors of another model only where it may fill the store', async () => {
  const store = await open();
  await store.tryLease();
  await store.put([noteOf('A', 1)]);
  const other = await open('another');
  expect(await other.tryLease()).toBe(false);
  await expect(other.nearest(wholeVault, vectorOf(1), 5)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect((await store.nearest(wholeVault, vectorOf(1), 5)).notes).toHaveLength(1);
  await store.close();
  opened.splice(opened.indexOf(store), 1);
  expect(await other.tryLease()).toBe(true);
  expect(await other.notes()).toEqual([]);
});

it('keeps the vectors in memory while its file cannot be written', async () => {
  mkdirSync(join(folder, 'meaning.db'));
  const store = await open();
  expect(await store.tryLease()).toBe(true);
  await store.put([noteOf('A', 1)]);
  expect((await store.nearest(wholeVault, vectorOf(1), 5)).notes).toHaveLength(1);
});

it('starts anew when its file is damaged', async () => {
  writeFileSync(join(folder, 'meaning.db'), 'no database'.repeat(1000));
  expect(await (await open()).notes()).toEqual([]);
});
