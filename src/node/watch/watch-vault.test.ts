import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder, writeFiles } from '../../../test/support/temp-folder.ts';
import type { WatchReport } from '../../engine/ports/ports.ts';
import type { OpenWatch } from './watch-folders.ts';
import { watchVault } from './watch-vault.ts';

/** For what Linux alone does: its kernel keeps so many events, and tells of each change once. */
const testLinux = test.skipIf(process.platform === 'win32');

/** A system with so many watches and no more; `left` may be changed. */
function scarceWatches(left: number) {
  const system = { left, open: 0 };
  const openWatch: OpenWatch = (folder, onEvent) => {
    if (system.left === 0) {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    }
    system.left -= 1;
    system.open += 1;
    const watcher = watch(folder, (kind, name) => onEvent({ kind, name }));
    return {
      close: () => {
        system.open -= 1;
        watcher.close();
      },
    };
  };
  return { system, openWatch };
}

function start(root: string, openWatch: OpenWatch) {
  const reports: WatchReport[] = [];
  const watching = watchVault(
    { root, poll: 'auto', pollEveryMs: 5, platform: 'linux', openWatch },
    (report) => reports.push(report),
  );
  onTestFinished(() => watching.close());
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  return { reports, watching, until };
}

test('a vault with more folders than watches is polled, and no watch is left behind', async () => {
  const { system, openWatch } = scarceWatches(2);
  const { reports, watching, until } = start(
    tempFolder({ 'a/b/c.md': '', 'd/e.md': '' }),
    openWatch,
  );
  expect(system.open).toBe(0);
  await until(() => reports.length >= 2);
  expect(reports[0]).toEqual({ paths: [], folders: [], reconcile: true });
  reports.length = 0;
  await watching.flush();
  expect(reports.at(-1)).toEqual({ paths: [], folders: [], reconcile: true });
});

test('it is watched as soon as there are watches', async () => {
  const { system, openWatch } = scarceWatches(0);
  const root = tempFolder({ 'a/b.md': '' });
  const { reports, watching, until } = start(root, openWatch);
  system.left = 100;
  await until(() => system.open === 2);
  await watching.flush();
  reports.length = 0;
  writeFiles(root, { 'a/b.md': 'text' });
  await watching.flush();
  expect(reports).toEqual([{ paths: ['a/b.md'], folders: [], reconcile: false }]);
});

test('a vault that grows beyond the watches is polled from then on', async () => {
  const { system, openWatch } = scarceWatches(2);
  const root = tempFolder({ 'a/b.md': '' });
  const { reports, watching, until } = start(root, openWatch);
  expect(system.open).toBe(2);
  writeFiles(root, { 'new/c.md': '' });
  await until(() => system.open === 0);
  await watching.flush();
  expect(reports.at(-1)?.reconcile).toBe(true);
});

testLinux(
  'more events than the kernel keeps: everything is looked at, and new folders are watched',
  async () => {
    const root = tempFolder({ 'a.md': '' });
    const reports: WatchReport[] = [];
    const watching = watchVault({ root, poll: false, platform: 'linux' }, (report) => {
      reports.push(report);
    });
    onTestFinished(() => watching.close());
    // The thread that should fetch the events is blocked until all have happened.
    execFileSync(
      process.execPath,
      [
        '-e',
        `const fs = require('node:fs');
       for (let i = 0; i < 12000; i++) fs.writeFileSync(i + '.md', 'text');
       fs.mkdirSync('late/later', { recursive: true });`,
      ],
      { cwd: root },
    );
    await watching.flush();
    expect(reports.some(({ reconcile }) => reconcile)).toBe(true);
    reports.length = 0;
    writeFiles(root, { 'late/later/b.md': 'text' });
    await watching.flush();
    expect(reports).toEqual([{ paths: ['late/later/b.md'], folders: [], reconcile: false }]);
  },
);

test('another folder in the place of the vault is watched, though nobody tells of it', async () => {
  const base = tempFolder({ 'vault/a.md': '', 'other/b.md': '' });
  // Watches that hear nothing: that is how it is when something is mounted over a folder.
  const watched: string[] = [];
  const openWatch: OpenWatch = (folder) => {
    watched.push(folder);
    return { close: () => {} };
  };
  const { reports, until } = start(join(base, 'vault'), openWatch);
  const before = watched.length;
  renameSync(join(base, 'vault'), join(base, 'before'));
  renameSync(join(base, 'other'), join(base, 'vault'));
  await until(() => watched.length > before && reports.length > 0);
  expect(reports[0]).toEqual({ paths: [], folders: [], reconcile: true });
});

testLinux('flush leaves nothing in the folder it was given', async () => {
  const markerFolder = join(tempFolder(), 'cache/watch');
  const root = tempFolder({ 'a.md': '' });
  const reports: WatchReport[] = [];
  const watching = watchVault({ root, poll: false, platform: 'linux', markerFolder }, (report) => {
    reports.push(report);
  });
  onTestFinished(() => watching.close());
  writeFiles(root, { 'a.md': 'text' });
  await Promise.all([watching.flush(), watching.flush()]);
  expect(reports).toEqual([{ paths: ['a.md'], folders: [], reconcile: false }]);
  expect(readdirSync(markerFolder)).toEqual([]);
});
