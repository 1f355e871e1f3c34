import { appendFileSync, chmodSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import {
  type Hands,
  handsIn,
  heardByHand,
  linesOf,
  settled,
  tempVault,
  watchFolder,
  wholeTree,
} from '../../../test/support/watched-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { TreeWatch } from './tree-watch.ts';

describe('each change is told once, and in order', () => {
  const rows: [name: string, act: (hands: Hands) => void, told: string[]][] = [
    ['nothing', () => {}, []],
    ['a new file', ({ write }) => write('vault/new.md'), ['created new.md']],
    ['an overwritten file', ({ write }) => write('vault/note.md'), ['modified note.md']],
    [
      'an overwritten file of the same size',
      ({ write }) => write('vault/note.md', 'ten'),
      ['modified note.md'],
    ],
    ['an append', ({ at }) => appendFileSync(at('vault/note.md'), 'more'), ['modified note.md']],
    [
      'an atomic save',
      ({ write, rename }) => {
        write('vault/note.md.swp');
        rename('vault/note.md.swp', 'vault/note.md');
      },
      ['modified note.md'],
    ],
    [
      'temporary files, which stay or take the place of another',
      ({ write, rename }) => {
        write('vault/.~vd-1.tmp');
        write('vault/sub/.rsh-write-1.tmp');
        write('vault/.rsh-write-2.tmp');
        rename('vault/.rsh-write-2.tmp', 'vault/note.md');
      },
      ['modified note.md'],
    ],
    [
      'a renamed file',
      ({ rename }) => rename('vault/note.md', 'vault/sub/n.md'),
      ['deleted note.md', 'created sub/n.md'],
    ],
    [
      'a file renamed onto another',
      ({ rename }) => rename('vault/note.md', 'vault/other.md'),
      ['deleted note.md', 'modified other.md'],
    ],
    [
      'a renamed folder',
      ({ rename }) => rename('vault/sub', 'vault/renamed'),
      [
        'deleted sub/deep/leaf.md',
        'deleted sub/deep',
        'deleted sub',
        'created renamed',
        'created renamed/deep',
        'created renamed/deep/leaf.md',
      ],
    ],
    [
      'folders in folders, made at once',
      ({ mkdir }) => mkdir('vault/a/b/c'),
      ['created a', 'created a/b', 'created a/b/c'],
    ],
    [
      'a file in folders that are new too',
      ({ write }) => write('vault/a/b/c.md'),
      ['created a', 'created a/b', 'created a/b/c.md'],
    ],
    [
      'a removed folder',
      ({ remove }) => remove('vault/sub'),
      ['deleted sub/deep/leaf.md', 'deleted sub/deep', 'deleted sub'],
    ],
    [
      'a file that goes to the trash',
      ({ mkdir, rename }) => {
        mkdir('vault/.trash');
        rename('vault/note.md', 'vault/.trash/note.md');
      },
      ['deleted note.md', 'created .trash', 'created .trash/note.md'],
    ],
    [
      'a file moved out',
      ({ rename }) => rename('vault/note.md', 'outside/n.md'),
      ['deleted note.md'],
    ],
    [
      'a folder moved out',
      ({ rename }) => rename('vault/sub', 'outside/sub'),
      ['deleted sub/deep/leaf.md', 'deleted sub/deep', 'deleted sub'],
    ],
    [
      'a folder moved in',
      ({ rename }) => rename('outside/far', 'vault/far'),
      ['created far', 'created far/away.md'],
    ],
    [
      'a symlink to a folder of the vault, and a change in that folder',
      ({ link, write }) => {
        link('sub', 'vault/link');
        write('vault/sub/new.md');
      },
      ['created link', 'created sub/new.md'],
    ],
    [
      'a symlink that leads out of the vault',
      ({ link }) => link('../outside', 'vault/link'),
      ['created link'],
    ],
    [
      'a folder that becomes a symlink',
      ({ link, rename }) => {
        rename('vault/sub', 'outside/sub');
        link('../outside/sub', 'vault/sub');
      },
      ['deleted sub/deep/leaf.md', 'deleted sub/deep', 'deleted sub', 'created sub'],
    ],
    [
      'a file that becomes a folder',
      ({ remove, write }) => {
        remove('vault/note.md');
        write('vault/note.md/in.md');
      },
      ['deleted note.md', 'created note.md', 'created note.md/in.md'],
    ],
    [
      'a folder that is replaced by another',
      ({ remove, write }) => {
        remove('vault/sub');
        write('vault/sub/deep/leaf.md');
        write('vault/sub/more.md');
      },
      ['created sub/more.md', 'modified sub/deep/leaf.md'],
    ],
    [
      'two folders that swap names',
      ({ rename }) => {
        rename('vault/sub', 'vault/tmp');
        rename('vault/.obsidian', 'vault/sub');
        rename('vault/tmp', 'vault/.obsidian');
      },
      [
        'deleted sub/deep/leaf.md',
        'deleted sub/deep',
        'deleted .obsidian/app.json',
        'created sub/app.json',
        'created .obsidian/deep',
        'created .obsidian/deep/leaf.md',
      ],
    ],
    [
      'a file that comes and goes before anyone looks',
      ({ remove, write }) => {
        write('vault/new.md');
        remove('vault/new.md');
      },
      [],
    ],
    [
      'other permissions, and another time of a file or folder',
      ({ at }) => {
        utimesSync(at('vault/note.md'), 2_000, 2_000);
        utimesSync(at('vault/sub/deep/leaf.md'), new Date(), new Date());
        chmodSync(at('vault/note.md'), 0o600);
        chmodSync(at('vault/sub'), 0o700);
        utimesSync(at('vault/sub'), 5, 5);
      },
      [],
    ],
    ['a file in a dot folder', ({ write }) => write('vault/.x/y'), ['created .x', 'created .x/y']],
    [
      "git's files and installed packages, which nobody watches",
      ({ write }) => {
        write('vault/.git/HEAD');
        write('vault/.obsidian/node_modules/y/index.js');
      },
      [],
    ],
  ];
  const able = rows.filter(([what]) => makesSymlinks || !what.includes('symlink'));
  test.each(able)('%s', async (_, act, expected) => {
    const base = tempVault();
    const { told } = await watchFolder(join(base, 'vault'));
    act(handsIn(base));
    expect(linesOf(await told()).toSorted()).toEqual(expected.toSorted());
  });

  test.each(able)(
    '%s, when all that is known is that something happened',
    async (_, act, expected) => {
      const base = tempVault();
      const { tell, told } = await heardByHand(join(base, 'vault'));
      act(handsIn(base));
      tell({ reconcile: true });
      expect(linesOf(await told()).toSorted()).toEqual(expected.toSorted());
    },
  );
});

describe('what is told of', () => {
  const rows: [watched: Parameters<TreeWatch['watch']>[0], told: string[]][] = [
    [
      { path: '', recursive: true },
      [
        'created new.md',
        'created sub/deep/x',
        'created sub/deep/x/y.md',
        'modified sub/deep/leaf.md',
      ],
    ],
    [{ path: '', recursive: false }, ['created new.md']],
    [
      { path: vaultPath('sub'), recursive: true },
      ['created sub/deep/x', 'created sub/deep/x/y.md', 'modified sub/deep/leaf.md'],
    ],
    [{ path: vaultPath('sub'), recursive: false }, []],
    [
      { path: vaultPath('sub/deep'), recursive: false },
      ['created sub/deep/x', 'modified sub/deep/leaf.md'],
    ],
    [
      { path: vaultPath('sub/deep/x'), recursive: false },
      ['created sub/deep/x', 'created sub/deep/x/y.md'],
    ],
    [{ path: vaultPath('sub/deep/leaf.md'), recursive: false }, ['modified sub/deep/leaf.md']],
    [{ path: vaultPath('su'), recursive: true }, []],
  ];
  test.each(rows)('by %o', async (watched, told) => {
    const base = tempVault();
    const watching = await watchFolder(join(base, 'vault'), watched);
    const { write } = handsIn(base);
    write('vault/new.md');
    write('vault/sub/deep/x/y.md');
    write('vault/sub/deep/leaf.md');
    expect(linesOf(await watching.told()).toSorted()).toEqual(told.toSorted());
  });
});

test('what changes in a renamed folder is told under its new name', async () => {
  const base = tempVault();
  const { rename, write } = handsIn(base);
  const { told } = await watchFolder(join(base, 'vault'));
  rename('vault/sub', 'vault/renamed');
  await told();
  write('vault/renamed/deep/leaf.md');
  write('vault/renamed/deep/new.md');
  expect(linesOf(await told()).toSorted()).toEqual([
    'created renamed/deep/new.md',
    'modified renamed/deep/leaf.md',
  ]);
});

test('what is there has the time of its last change', async () => {
  const base = tempVault();
  const { write, at, mkdir } = handsIn(base);
  const { told } = await watchFolder(join(base, 'vault'));
  const timeOf = (path: string) =>
    Number(statSync(at(path), { bigint: true }).mtimeNs / 1_000_000n);
  write('vault/note.md');
  mkdir('vault/new');
  expect(await told()).toEqual([
    { event: 'created', path: 'new', mtimeMs: timeOf('vault/new') },
    { event: 'modified', path: 'note.md', mtimeMs: timeOf('vault/note.md') },
  ]);
});

test('our own changes are told without the watcher, one by one, and not a second time', async () => {
  const base = tempVault();
  const { write, rename } = handsIn(base);
  const { tree, told } = await watchFolder(join(base, 'vault'));
  const events: string[] = [];
  await tree.watch(wholeTree, (some) => events.push(...linesOf(some)));
  write('vault/a/new.md');
  tree.mayHaveChanged([vaultPath('a'), vaultPath('a/new.md')]);
  await settled(tree);
  write('vault/a/new.md', 'other text');
  tree.mayHaveChanged([vaultPath('a/new.md')]);
  await settled(tree);
  rename('vault/a', 'vault/b');
  tree.mayHaveChanged([vaultPath('a'), vaultPath('b')]);
  await settled(tree);
  const all = [
    'created a',
    'created a/new.md',
    'modified a/new.md',
    'deleted a/new.md',
    'deleted a',
    'created b',
    'created b/new.md',
  ];
  expect(events).toEqual(all);
  await told();
  expect(events).toEqual(all);
});

test('nobody is told of what happened before, nor after the end', async () => {
  const base = tempVault();
  const { write } = handsIn(base);
  const { tree, told, end } = await watchFolder(join(base, 'vault'));
  write('vault/before.md');
  tree.mayHaveChanged([vaultPath('before.md')]);
  const late: string[] = [];
  const endLate = await tree.watch(wholeTree, (some) => late.push(...linesOf(some)));
  expect(linesOf(await told())).toEqual(['created before.md']);
  end();
  write('vault/after.md');
  expect(await told()).toEqual([]);
  expect(late).toEqual(['created after.md']);
  endLate();
  write('vault/alone.md');
  expect(await told()).toEqual([]);
  await tree.watch(wholeTree, (some) => late.push(...linesOf(some)));
  write('vault/again.md');
  await told();
  expect(late).toEqual(['created after.md', 'created again.md']);
});

test('one who fails at what it is told does not keep others from it', async () => {
  const base = tempVault();
  const { tree, told } = await watchFolder(join(base, 'vault'));
  const after: string[] = [];
  await tree.watch(wholeTree, () => {
    throw new Error('cannot');
  });
  await tree.watch(wholeTree, (some) => after.push(...linesOf(some)));
  handsIn(base).write('vault/new.md');
  expect(linesOf(await told())).toEqual(['created new.md']);
  expect(after).toEqual(['created new.md']);
});
