import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  type Hands,
  handsIn,
  heardByHand,
  linesOf,
  localWatcher,
  rawDiskOf,
  tempVault,
  wholeTree,
} from '../../../test/support/watched-folder.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { SharedWatcher } from './shared-watcher.ts';
import { TreeWatch } from './tree-watch.ts';

test('a change during the first walk is not missed', async () => {
  const base = tempVault();
  const root = join(base, 'vault');
  const { write } = handsIn(base);
  const disk = rawDiskOf(root);
  let afterWalk: () => void = () => undefined;
  const { tell, told } = await heardByHand(root, {
    files: {
      ...disk,
      walk: async (...walk) => {
        const found = await disk.walk(...walk);
        afterWalk();
        // Time enough to look at it, if someone did so at once.
        for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
        return found;
      },
    },
    onStart: (hears) => {
      afterWalk = () => {
        afterWalk = () => undefined;
        write('vault/new.md');
        hears({ paths: [vaultPath('new.md')] });
      };
    },
  });
  expect(await told()).toEqual([]);
  write('vault/new.md', 'changed');
  tell({ paths: [vaultPath('new.md')] });
  expect(linesOf(await told())).toEqual(['modified new.md']);
});

test('what is heard before the first walk is known by it', async () => {
  const base = tempVault();
  const { tell, told } = await heardByHand(join(base, 'vault'), {
    onStart: (hears) => hears({ paths: [vaultPath('sub/deep/leaf.md')], reconcile: true }),
  });
  tell({ folders: [vaultPath('sub')] });
  expect(await told()).toEqual([]);
});

test.each<[string, (hands: Hands) => void, path: string, told: string[]]>([
  [
    'a file in folders that nobody told of is told after them, with what else they hold',
    ({ write }) => {
      write('vault/a/b/c.md');
      write('vault/a/d.md');
    },
    'a/b/c.md',
    ['created a', 'created a/b', 'created a/b/c.md', 'created a/d.md'],
  ],
  [
    'what is reached through a symlink is not told, but the symlink is',
    ({ link, write }) => {
      link('sub', 'vault/link');
      write('vault/sub/deep/leaf.md');
    },
    'link/deep/leaf.md',
    ['created link'],
  ],
  [
    'what was in a folder that is a file now is told with it',
    ({ remove, write }) => {
      remove('vault/sub');
      write('vault/sub');
    },
    'sub',
    ['deleted sub/deep/leaf.md', 'deleted sub/deep', 'deleted sub', 'created sub'],
  ],
  ['a temporary file is not told', ({ write }) => write('vault/.~vd-1.tmp'), '.~vd-1.tmp', []],
])('%s', async (_, act, path, expected) => {
  const base = tempVault();
  const { tell, told } = await heardByHand(join(base, 'vault'));
  act(handsIn(base));
  tell({ paths: [vaultPath(path)] });
  expect(linesOf(await told())).toEqual(expected);
});

test('a folder in a folder is not walked twice, nor is what is in no reported folder', async () => {
  const base = tempVault();
  const root = join(base, 'vault');
  const disk = rawDiskOf(root);
  const walked: string[] = [];
  const { tell, told } = await heardByHand(root, {
    files: {
      ...disk,
      walk: (folder, options) => {
        walked.push(folder);
        return disk.walk(folder, options);
      },
    },
  });
  handsIn(base).write('vault/sub/deep/leaf.md');
  tell({
    paths: [vaultPath('sub/deep/leaf.md')],
    folders: [vaultPath('sub/deep'), vaultPath('sub')],
  });
  expect(linesOf(await told())).toEqual(['modified sub/deep/leaf.md']);
  expect(walked).toEqual(['', 'sub']);
});

test('reports that come while it looks are looked at together', async () => {
  const base = tempVault();
  const root = join(base, 'vault');
  const disk = rawDiskOf(root);
  let entries = 0;
  let onEntry: () => void = () => undefined;
  const { tell, told } = await heardByHand(root, {
    files: {
      ...disk,
      hash: () => Promise.reject(new VaultError('forbidden', 'Not to be read.')),
      entry: (path) => {
        entries += 1;
        onEntry();
        return disk.entry(path);
      },
    },
  });
  onEntry = () => {
    onEntry = () => undefined;
    for (let i = 0; i < 10; i++) tell({ paths: [vaultPath('note.md'), vaultPath('other.md')] });
  };
  handsIn(base).write('vault/other.md');
  tell({ paths: [vaultPath('note.md')] });
  expect(linesOf(await told())).toEqual(['modified other.md']);
  expect(entries).toBe(3);
});

test('a vault that is away loses nothing, and what changed meanwhile is told when it is back', async () => {
  const base = tempVault();
  const { write, rename } = handsIn(base);
  const { tell, told } = await heardByHand(join(base, 'vault'));
  rename('vault', 'away');
  tell({ reconcile: true });
  tell({ paths: [vaultPath('note.md')], folders: [vaultPath('sub')] });
  expect(await told()).toEqual([]);
  write('away/new.md');
  rename('away', 'vault');
  tell({ paths: [vaultPath('other.md')] });
  expect(linesOf(await told())).toEqual(['created new.md']);
});

test('a vault that cannot be watched is tried again by the next', async () => {
  const root = tempFolder({ 'a.md': '' });
  const watcher = localWatcher(root);
  let failures = 1;
  const shared = new SharedWatcher({
    ...watcher,
    start: async (listener) => {
      if (failures-- > 0) throw new VaultError('vault_not_found', 'The vault is gone.');
      await watcher.start(listener);
    },
  });
  onTestFinished(() => shared.close());
  const tree = new TreeWatch({ files: rawDiskOf(root), watcher: shared, timers: nodeTimers });
  const watch = () => tree.watch(wholeTree, () => undefined);
  const gone = { code: 'vault_not_found' };
  await Promise.all([1, 2].map(() => expect(watch()).rejects.toMatchObject(gone)));
  await watch();
});

test('a touched file is told once it changes, also in place and with its size', async () => {
  const base = tempVault();
  const { at, write } = handsIn(base);
  const { tell, told } = await heardByHand(join(base, 'vault'));
  const look = async (): Promise<string[]> => {
    tell({ paths: [vaultPath('note.md')] });
    return linesOf(await told());
  };
  const touch = (seconds: number): void => utimesSync(at('vault/note.md'), seconds, seconds);
  touch(2_000);
  expect(await look()).toEqual([]);
  touch(3_000);
  expect(await look()).toEqual([]);
  write('vault/note.md', 'ten');
  touch(4_000);
  expect(await look()).toEqual(['modified note.md']);
  // A change back to what it was is a change as well.
  write('vault/note.md', 'one');
  touch(5_000);
  expect(await look()).toEqual(['modified note.md']);
  tell({ reconcile: true });
  expect(await told()).toEqual([]);
});

test('a write right after a touch, which leaves the time of the touch, is told', async () => {
  const base = tempVault();
  const { at, write } = handsIn(base);
  const { tell, told } = await heardByHand(join(base, 'vault'));
  utimesSync(at('vault/note.md'), 2_000, 2_000);
  tell({ paths: [vaultPath('note.md')] });
  expect(await told()).toEqual([]);
  write('vault/note.md', 'ten');
  utimesSync(at('vault/note.md'), 2_000, 2_000);
  await vi.waitFor(async () => expect(linesOf(await told())).toEqual(['modified note.md']));
});

test('of many files with another time, none is read, and all are told', async () => {
  const names = Array.from({ length: 101 }, (_, number) => `${number}.md`);
  const root = tempFolder(Object.fromEntries(names.map((name) => [name, 'x'])));
  for (const name of names) utimesSync(join(root, name), 1_000, 1_000);
  const { tell, told } = await heardByHand(root);
  for (const name of names) utimesSync(join(root, name), 2_000, 2_000);
  tell({ paths: names.slice(1).map((name) => vaultPath(name)) });
  expect(await told()).toEqual([]);
  for (const name of names) utimesSync(join(root, name), 3_000, 3_000);
  tell({ paths: names.map((name) => vaultPath(name)) });
  expect(await told()).toHaveLength(101);
});
