import { expect, test } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { WrittenFile } from '../text/written-file.ts';
import { PendingLooks } from './pending-looks.ts';

const [a, b, c] = [vaultPath('a.md'), vaultPath('b.md'), vaultPath('c.md')];
const folder = vaultPath('F');
const inside = vaultPath('F/a.md');
const nested = vaultPath('F/G');

/** What became of a promise so far. */
async function now(promise: Promise<void>): Promise<'waits' | 'done' | string> {
  const outcome = promise.then(
    () => 'done',
    (error: unknown) => String(error),
  );
  const later = new Promise<string>((resolve) => {
    setTimeout(resolve, 0, 'waits');
  });
  return Promise.race([outcome, later]);
}

const looked = async (): Promise<void> => undefined;

test('what someone waits for comes first, and nothing comes twice', () => {
  const pending = new PendingLooks();
  pending.add([a, b, a]);
  void pending.wait([c, b]);
  expect(pending.takeFiles(10).paths).toEqual([c, b, a]);
  expect(pending.hasFiles).toBe(false);
});

test('a content is known until the file is reported, asked for again, or taken', () => {
  const written = (path: typeof a) => new WrittenFile(path, '' as Version, new Uint8Array());
  const takenAfter = (change: (pending: PendingLooks) => void): unknown => {
    const pending = new PendingLooks();
    void pending.wait([a, b], [written(a), written(b)]);
    change(pending);
    return [Array.from(pending.takeFiles(10).written.keys()), pending.takeFiles(10).written.size];
  };
  expect(takenAfter(() => undefined)).toEqual([[a, b], 0]);
  expect(takenAfter((pending) => pending.add([a]))).toEqual([[b], 0]);
  expect(takenAfter((pending) => pending.add([], [folder]))).toEqual([[], 0]);
  expect(takenAfter((pending) => void pending.wait([b]))).toEqual([[a], 0]);
  expect(takenAfter((pending) => pending.takeAll())).toEqual([[], 0]);
});

test('no more are taken than asked for, and the others stay', () => {
  const pending = new PendingLooks();
  pending.add([a, b]);
  void pending.wait([c]);
  expect(pending.takeFiles(2).paths).toEqual([c, a]);
  expect(pending.isAwaited).toBe(false);
  expect(pending.takeFiles(2).paths).toEqual([b]);
});

test('whoever waits for several waits for the last of them', async () => {
  const pending = new PendingLooks();
  const both = pending.wait([a, b]);
  const one = pending.wait([a]);
  await pending.takeFiles(1).run(looked);
  expect([await now(both), await now(one)]).toEqual(['waits', 'done']);
  await pending.takeFiles(1).run(looked);
  expect(await now(both)).toBe('done');
});

test('whoever asks while a path is looked at waits for the next look at it', async () => {
  const pending = new PendingLooks();
  const first = pending.wait([a]);
  let second: Promise<void> | undefined;
  await pending.takeFiles(1).run(async () => {
    second = pending.wait([a]);
  });
  expect(await now(first)).toBe('done');
  expect(await now(second ?? first)).toBe('waits');
  await pending.takeFiles(1).run(looked);
  expect(await now(second ?? first)).toBe('done');
});

test('a failed look fails for those who wait for it, and for nobody else', async () => {
  const pending = new PendingLooks();
  const [first, second] = [pending.wait([a]), pending.wait([b])];
  const serving = pending.takeFiles(1).run(async () => {
    throw new Error('no disk');
  });
  await expect(serving).rejects.toThrow('no disk');
  expect(await now(first)).toBe('Error: no disk');
  expect(await now(second)).toBe('waits');
});

test('a path that turns out to be a folder is waited for until its files were looked at', async () => {
  const pending = new PendingLooks();
  const waiting = pending.wait([folder, b]);
  const looks = pending.takeFiles(2);
  await looks.run(async () => pending.addFolder(looks, folder));
  expect(await now(waiting)).toBe('waits');
  const walk = pending.takeFolder();
  await walk?.run(async () => pending.addFiles(walk, [inside, a]));
  expect([await now(waiting), pending.isAwaited]).toEqual(['waits', true]);
  await pending.takeFiles(2).run(looked);
  expect(await now(waiting)).toBe('done');
});

test('what lies in a folder that is to be walked is left to the walk, unless someone waits', () => {
  const pending = new PendingLooks();
  pending.add([inside, a], [folder]);
  expect(pending.takeFiles(10).paths).toEqual([a]);
  void pending.wait([inside]);
  expect(pending.takeFiles(10).paths).toEqual([inside]);
});

test('one walk serves a folder and those in it, and others have their own', async () => {
  const pending = new PendingLooks();
  pending.add([], [nested, folder, vaultPath('F2')]);
  expect(pending.takeFolder()?.paths).toEqual([folder]);
  expect(pending.takeFolder()?.paths).toEqual(['F2']);
  expect(pending.takeFolder()).toBeUndefined();
});

test('a walk of everything serves all who wait', async () => {
  const pending = new PendingLooks();
  const waiting = pending.wait([a, b]);
  pending.add([c], [folder]);
  const all = pending.takeAll();
  expect([pending.hasFiles, pending.hasFolders]).toEqual([false, false]);
  await all.run(async () => pending.addFiles(all, [b]));
  expect(await now(waiting)).toBe('waits');
  await pending.takeFiles(1).run(looked);
  expect(await now(waiting)).toBe('done');
});
