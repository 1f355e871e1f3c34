import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { memoryState } from '../../../test/support/memory-state.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Draft } from '../vault/draft.ts';

const p = vaultPath;
const append = async (draft: Draft, { path, text }: { path: string; text: string }) => {
  const note = await draft.read(p(path));
  await draft.write(p(path), note.text + text);
  return { path };
};
const names = Array.from({ length: 10 }, (_, n) => `n${n}.md`);
const notes = Object.fromEntries(names.map((name) => [name, name]));

/** A vault of ten notes, and how often its lock was taken and released. */
async function start(options: { readonly failOn?: string } = {}) {
  const process = (await memoryState()).open();
  const counts = { begun: 0, atOnce: 0, most: 0, released: 0 };
  const lock = {
    ...process.lock,
    tryBegin: async (...begun: Parameters<typeof process.lock.tryBegin>) => {
      counts.begun++;
      return process.lock.tryBegin(...begun);
    },
    release: async () => {
      counts.released++;
      return process.lock.release();
    },
  };
  // With a longer step, the clock would say after each write that others want the lock, too.
  const memory = memoryDisk(notes, { stepMs: 1 });
  const vault = await openWrittenVault(memory, { process: { ...process, lock } });
  const { disk } = vault.whole.parts;
  const place: typeof disk.place = async (target, ...more) => {
    if (target === options.failOn) throw new VaultError('io_failed', 'The disk failed.');
    return disk.place(target, ...more);
  };
  const stage: typeof disk.stage = async (...staged) => {
    counts.most = Math.max(counts.most, ++counts.atOnce);
    return disk.stage(...staged);
  };
  const syncStaged: typeof disk.syncStaged = async (...staged) => {
    await setImmediate(); // As on a real disk: other work goes on meanwhile.
    return disk.syncStaged(...staged);
  };
  const syncFolder: typeof disk.syncFolder = async (folder) => {
    await disk.syncFolder(folder);
    counts.atOnce--;
  };
  Object.assign(vault.whole.parts, { disk: { ...disk, place, stage, syncStaged, syncFolder } });
  return { ...vault, counts };
}

it('changes of different notes are committed at the same time, under one lock', async () => {
  const { change, text, whole, counts, indexFaults } = await start();
  const answers = await Promise.all(names.map((path) => change(append, { path, text: '+' })));
  expect(names.map(text)).toEqual(names.map((name) => `${name}+`));
  expect(answers.map((answer) => answer.change)).toEqual(names.map((_, n) => n + 1));
  expect(counts.begun).toBe(10);
  expect(counts.most).toBeGreaterThan(1);
  expect(counts.released).toBeLessThan(10);
  const { state } = whole.parts;
  expect([await state.latest(), await state.unfinished()]).toEqual([10, []]);
  expect(await indexFaults()).toEqual([]);
});

it('changes of one note are made one after the other, in the order of the calls', async () => {
  const { change, text, counts } = await start();
  const letters = Array.from('abcdefgh');
  await Promise.all(letters.map((each) => change(append, { path: 'n1.md', text: each })));
  expect(text('n1.md')).toBe('n1.mdabcdefgh');
  expect(counts.most).toBe(1);
});

it('a plan that fails beside a change that is being committed is made again after it', async () => {
  const { change, text } = await start();
  const replace = async (draft: Draft) => {
    const note = await draft.read(p('n1.md'));
    if (!note.text.includes('+')) throw new VaultError('not_found', 'No plus.');
    await draft.write(p('n1.md'), note.text.replace('+', '-'));
    return { path: 'n1.md' };
  };
  await Promise.all([change(append, { path: 'n1.md', text: '+' }), change(replace, {})]);
  expect(text('n1.md')).toBe('n1.md-');
});

it('a change that asks the index, or has several steps, waits for those before it', async () => {
  const { change, files, indexFaults } = await start();
  const create = async (draft: Draft) => {
    await draft.replanAfterOthers();
    await draft.create(p('new.md'), (await draft.read(p('n2.md'))).text);
    return { path: 'new.md' };
  };
  const move = async (draft: Draft) => {
    await draft.write(p('n3.md'), 'moved [[n2]]');
    await draft.move(p('n4.md'), p('to/n4.md'));
    return { path: 'n3.md' };
  };
  await Promise.all([
    change(append, { path: 'n2.md', text: '+' }),
    change(create, {}),
    change(append, { path: 'n3.md', text: '+' }),
    change(move, {}),
    change(append, { path: 'n5.md', text: '+' }),
  ]);
  const { 'new.md': made, 'n3.md': moved, 'to/n4.md': there, 'n5.md': last } = files();
  expect([made, moved, there, last]).toEqual(['n2.md+', 'moved [[n2]]', 'n4.md', 'n5.md+']);
  expect(await indexFaults()).toEqual([]);
});

it('one that fails leaves the others as they are, and nothing behind', async () => {
  const { change, files, whole } = await start({ failOn: 'n4.md' });
  const ends = await Promise.allSettled(names.map((path) => change(append, { path, text: '+' })));
  expect(ends.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([4]);
  const { 'n4.md': failed, ...others } = files();
  expect(failed).toBe('n4.md');
  expect(Object.values(others)).toEqual(Object.keys(others).map((name) => `${name}+`));
  expect(await whole.parts.state.unfinished()).toEqual([]);
});
