import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openThreadWatcher } from '../../src/node/workers/thread-watcher.ts';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';
import { bundleWorker } from './bundle-worker.ts';
import { isTold, watchedVault } from './watched-vault.ts';

const entryFile = bundleWorker(
  import.meta.dirname,
  `
  import { parentPort, workerData } from 'node:worker_threads';
  import { serveWatch } from '../../src/node/watch/watch-worker.ts';
  serveWatch(parentPort, workerData);
`,
);

/** The same, but it dies as long as there is a file `now` in the vault. */
const dying = bundleWorker(
  import.meta.dirname,
  `
  import { existsSync } from 'node:fs';
  import { parentPort, workerData } from 'node:worker_threads';
  import { serveWatch } from '../../src/node/watch/watch-worker.ts';
  serveWatch(parentPort, workerData);
  setInterval(() => existsSync(workerData.root + '/now') && process.exit(1), 5);
`,
);

/** The same, but it writes its number beside the vault as long as it lives. */
const counted = bundleWorker(
  import.meta.dirname,
  `
  import { appendFileSync } from 'node:fs';
  import { parentPort, threadId, workerData } from 'node:worker_threads';
  import { serveWatch } from '../../src/node/watch/watch-worker.ts';
  serveWatch(parentPort, workerData);
  setInterval(() => appendFileSync(workerData.root + '.alive', threadId + ' '), 5);
`,
);

const files = {
  'vault/note.md': 'one',
  'vault/other.md': 'two',
  'vault/sub/deep/leaf.md': 'three',
  'vault/.obsidian/app.json': '{}',
  'vault/.obsidian/plugins/x/node_modules/y/index.js': '',
  'vault/.git/HEAD': 'ref',
  'outside/far/away.md': 'four',
};

/**
 * On Windows nothing says that all events have come, so there a flush always asks for a walk
 * (`watch-vault.ts`).
 */
const tellsByName = process.platform !== 'win32';

/** Does something to files; paths are relative to a folder that holds `vault` and `outside`. */
interface Hands {
  write(path: string, text?: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  mkdir(path: string): void;
}

function handsIn(base: string): Hands {
  return {
    write: (path, text = 'new text') => writeFiles(base, { [path]: text }),
    rename: (from, to) => renameSync(join(base, from), join(base, to)),
    remove: (path) => rmSync(join(base, path), { recursive: true }),
    mkdir: (path) => mkdirSync(join(base, path), { recursive: true }),
  };
}

test('a change is told though nobody asks', async () => {
  const base = tempFolder(files);
  const { nextReport } = await watchedVault({ entryFile, root: join(base, 'vault') });
  const report = nextReport();
  handsIn(base).write('vault/note.md');
  expect(await report).toEqual({ paths: ['note.md'], folders: [], reconcile: false });
});

describe.runIf(tellsByName)('changes of files are told by name', () => {
  const rows: [name: string, act: (hands: Hands) => void, paths: string[]][] = [
    ['nothing', () => {}, []],
    ['a new file', ({ write }) => write('vault/new.md'), ['new.md']],
    ['a changed file', ({ write }) => write('vault/note.md'), ['note.md']],
    [
      'a changed file in a folder',
      ({ write }) => write('vault/sub/deep/leaf.md'),
      ['sub/deep/leaf.md'],
    ],
    ['a removed file', ({ remove }) => remove('vault/note.md'), ['note.md']],
    [
      'a renamed file',
      ({ rename }) => rename('vault/note.md', 'vault/sub/n.md'),
      ['note.md', 'sub/n.md'],
    ],
    ['a file moved out', ({ rename }) => rename('vault/note.md', 'outside/n.md'), ['note.md']],
    ['a file moved in', ({ rename }) => rename('outside/far/away.md', 'vault/in.md'), ['in.md']],
    [
      'an atomic save',
      ({ write, rename }) => {
        write('vault/note.md.swp');
        rename('vault/note.md.swp', 'vault/note.md');
      },
      ['note.md', 'note.md.swp'],
    ],
    [
      'two atomic saves of ours, whose temporary files nobody hears of',
      ({ write, rename }) => {
        for (const id of ['1', '2']) {
          write(`vault/.~vd-${id}.tmp`);
          rename(`vault/.~vd-${id}.tmp`, 'vault/note.md');
        }
      },
      ['note.md'],
    ],
    [
      'a file in a dot folder',
      ({ write }) => write('vault/.obsidian/app.json'),
      ['.obsidian/app.json'],
    ],
    [
      'files of git and of packages are not told',
      ({ write }) => {
        write('vault/.git/HEAD');
        write('vault/.git/objects/aa/bb');
        write('vault/.obsidian/plugins/x/node_modules/y/index.js');
      },
      [],
    ],
    [
      'a placeholder, and the file it stands for',
      ({ rename }) => rename('vault/note.md', 'vault/.note.md.icloud'),
      ['.note.md.icloud', 'note.md'],
    ],
  ];
  test.each(rows)('%s', async (_, act, paths) => {
    const base = tempFolder(files);
    const { told } = await watchedVault({ entryFile, root: join(base, 'vault') });
    act(handsIn(base));
    expect(await told()).toEqual({ paths, folders: [], reconcile: false });
  });
});

describe('after a change of folders they are looked at, and later changes are told', () => {
  const rows: [
    name: string,
    act: (hands: Hands) => void,
    later: string,
    paths: string[],
    folders: string[],
  ][] = [
    ['a new folder', ({ mkdir }) => mkdir('vault/new'), 'new/a.md', [], ['new']],
    [
      'folders in folders with a file, made at once',
      ({ write }) => write('vault/a/b/c/d/new.md'),
      'a/b/c/d/new.md',
      ['a/b/c/d/new.md'],
      ['a'],
    ],
    [
      'a renamed folder',
      ({ rename }) => rename('vault/sub', 'vault/renamed'),
      'renamed/deep/leaf.md',
      ['sub', 'renamed/deep/leaf.md'],
      ['sub', 'renamed'],
    ],
    [
      'a folder renamed to and fro',
      ({ rename }) => {
        rename('vault/sub', 'vault/renamed');
        rename('vault/renamed', 'vault/sub');
      },
      'sub/deep/leaf.md',
      [],
      ['sub'],
    ],
    ['a removed folder', ({ remove }) => remove('vault/sub'), 'note.md', ['sub'], ['sub']],
    [
      'a folder removed and made again',
      ({ remove, write }) => {
        remove('vault/sub');
        write('vault/sub/deep/leaf.md');
      },
      'sub/deep/leaf.md',
      ['sub/deep/leaf.md'],
      ['sub'],
    ],
    [
      'a folder replaced by a file, and the file by a folder',
      ({ remove, write }) => {
        remove('vault/sub');
        write('vault/sub');
        remove('vault/sub');
        write('vault/sub/again.md');
      },
      'sub/again.md',
      ['sub/again.md'],
      ['sub'],
    ],
    [
      'a folder moved in',
      ({ rename }) => rename('outside/far', 'vault/far'),
      'far/away.md',
      ['far/away.md'],
      ['far'],
    ],
    [
      'two folders that swap names',
      ({ rename, mkdir }) => {
        mkdir('vault/second');
        rename('vault/sub', 'vault/tmp');
        rename('vault/second', 'vault/sub');
        rename('vault/tmp', 'vault/second');
      },
      'second/deep/leaf.md',
      [],
      ['sub', 'second'],
    ],
  ];
  test.runIf(tellsByName).each(rows)('%s', async (_, act, later, paths, folders) => {
    const base = tempFolder(files);
    const { told } = await watchedVault({ entryFile, root: join(base, 'vault'), pollEveryMs: 10 });
    const hands = handsIn(base);
    act(hands);
    const first = await told();
    expect(first.reconcile).toBe(false);
    expect(first.paths).toEqual(expect.arrayContaining(paths));
    expect(first.folders).toEqual(expect.arrayContaining(folders));
    hands.write(`vault/${later}`, 'later');
    expect((await told()).paths).toContain(later);
  });

  test('a vault that is moved away and back is looked at as a whole', async () => {
    const base = tempFolder(files);
    const { told } = await watchedVault({ entryFile, root: join(base, 'vault'), pollEveryMs: 10 });
    const hands = handsIn(base);
    hands.rename('vault', 'away');
    hands.rename('away', 'vault');
    expect((await told()).reconcile).toBe(true);
    hands.write('vault/sub/deep/leaf.md', 'later');
    expect(isTold(await told(), 'sub/deep/leaf.md')).toBe(true);
  });

  test.runIf(tellsByName)('changes in a folder that was moved out are not told', async () => {
    const base = tempFolder(files);
    const hands = handsIn(base);
    const { told } = await watchedVault({ entryFile, root: join(base, 'vault') });
    hands.rename('vault/sub', 'outside/sub');
    await told();
    hands.write('outside/sub/deep/leaf.md', 'later');
    expect(await told()).toEqual({ paths: [], folders: [], reconcile: false });
  });

  test('a new vault in the place of the old one is watched', async () => {
    const base = tempFolder(files);
    const hands = handsIn(base);
    const { told } = await watchedVault({ entryFile, root: join(base, 'vault'), pollEveryMs: 10 });
    hands.rename('vault', 'away');
    hands.write('vault/fresh.md');
    expect((await told()).reconcile).toBe(true);
    hands.write('vault/fresh.md', 'later');
    expect(isTold(await told(), 'fresh.md')).toBe(true);
  });
});

// Elsewhere the one watch of the whole tree does not follow symlinks.
describe.runIf(process.platform === 'linux')('symlinked folders', () => {
  test('an allowed one is watched under its name in the vault, another one is not', async () => {
    const base = tempFolder({ ...files, 'secret/s.md': '' });
    symlinkSync('../outside', join(base, 'vault/out'));
    symlinkSync('../secret', join(base, 'vault/secret'));
    const { told } = await watchedVault({
      entryFile,
      root: join(base, 'vault'),
      allowRoots: [join(base, 'outside')],
    });
    const hands = handsIn(base);
    hands.write('outside/far/away.md');
    hands.write('secret/s.md');
    expect(await told()).toEqual({ paths: ['out/far/away.md'], folders: [], reconcile: false });
  });

  test('one that is made later is watched from then on', async () => {
    const base = tempFolder(files);
    const { told } = await watchedVault({
      entryFile,
      root: join(base, 'vault'),
      allowRoots: [join(base, 'outside')],
    });
    symlinkSync('../outside', join(base, 'vault/out'));
    expect((await told()).reconcile).toBe(true);
    handsIn(base).write('outside/far/away.md');
    expect((await told()).paths).toContain('out/far/away.md');
  });
});

test('a burst from another process while the main thread is busy loses nothing', async () => {
  const base = tempFolder(files);
  const { told } = await watchedVault({ entryFile, root: join(base, 'vault') });
  const done = join(base, 'done');
  spawn(process.execPath, [
    '-e',
    `const fs = require('node:fs');
     for (let i = 0; i < 5000; i++) {
       const folder = ${JSON.stringify(join(base, 'vault'))} + '/burst/' + (i % 50);
       fs.mkdirSync(folder, { recursive: true });
       fs.writeFileSync(folder + '/' + i + '.md', 'text');
     }
     fs.writeFileSync(${JSON.stringify(done)}, '');`,
  ]);
  while (!existsSync(done)); // The main thread hears nothing meanwhile.
  const burst = await told();
  const made = Array.from({ length: 5_000 }, (_, i) => `burst/${i % 50}/${i}.md`);
  expect(made.filter((path) => !isTold(burst, path))).toEqual([]);
  const edited: string[] = [];
  for (let folder = 0; folder < 50; folder++) {
    edited.push(`burst/${folder}/${folder}.md`);
    writeFileSync(join(base, 'vault', `burst/${folder}/${folder}.md`), 'edited');
  }
  const later = await told();
  if (tellsByName) expect(later).toEqual({ paths: edited.sort(), folders: [], reconcile: false });
  expect(edited.filter((path) => !isTold(later, path))).toEqual([]);
});

describe('without events', () => {
  test('polling says again and again to look at everything', async () => {
    const base = tempFolder(files);
    const { nextReport, told } = await watchedVault({
      entryFile,
      root: join(base, 'vault'),
      poll: true,
      pollEveryMs: 10,
    });
    expect(await nextReport()).toEqual({ paths: [], folders: [], reconcile: true });
    expect(await nextReport()).toEqual({ paths: [], folders: [], reconcile: true });
    handsIn(base).write('vault/note.md');
    expect(await told()).toEqual({ paths: [], folders: [], reconcile: true });
  });

  test.runIf(tellsByName)(
    'a worker that dies is replaced, and everything is looked at',
    async () => {
      const base = tempFolder(files);
      const { told } = await watchedVault({
        entryFile: dying,
        root: join(base, 'vault'),
        markerFolder: join(base, 'markers'), // Who dies cannot remove a temporary one.
        pollEveryMs: 10,
      });
      const hands = handsIn(base);
      const breath = () => new Promise((resolve) => setTimeout(resolve, 5));
      hands.write('vault/now');
      while (!(await told()).reconcile) await breath();
      hands.remove('vault/now');
      // Only a worker that lives tells a change by its name alone.
      let last = await told();
      for (let i = 0; last.reconcile || !last.paths.includes('note.md'); i++) {
        await breath();
        hands.write('vault/note.md', `${i}`);
        last = await told();
      }
      expect(last).toEqual({ paths: ['note.md'], folders: [], reconcile: false });
    },
  );

  test('a vault that is not there cannot be watched', async () => {
    const root = join(tempFolder(), 'absent');
    await expect(watchedVault({ entryFile, root })).rejects.toMatchObject({
      code: 'vault_not_found',
    });
  });

  test('a start that failed is made again, and leaves no worker behind', async () => {
    const root = join(tempFolder(), 'late');
    const watcher = openThreadWatcher({ entryFile: counted, root });
    onTestFinished(() => watcher.close());
    await expect(watcher.start(() => {})).rejects.toMatchObject({ code: 'vault_not_found' });
    mkdirSync(root);
    await watcher.start(() => {});
    const alive = `${root}.alive`;
    writeFileSync(alive, '');
    await expect.poll(() => readFileSync(alive, 'utf8').split(' ').length).toBeGreaterThan(20);
    expect(new Set(readFileSync(alive, 'utf8').trim().split(' ')).size).toBe(1);
  });
});
