import { describe, expect, test } from 'vitest';
import { vaultFolder, vaultPath } from '../../src/base/vault-path.ts';
import type { WritableDisk } from '../../src/engine/ports/ports.ts';
import { Crash, chooseBySeed, crashingDisk, dropAll, keepAll, keepNames } from './crashing-disk.ts';
import { type MemoryDisk, memoryDisk } from './memory-disk.ts';

const p = vaultPath;
const bytes = (text: string) => new TextEncoder().encode(text);

/** Files with their text, and empty folders, as one line. */
function shown(disk: MemoryDisk): string {
  const files = disk.paths().map((path) => `${path}=${disk.text(path).replaceAll('\0', '0')}`);
  const folders = disk
    .folders()
    .filter((folder) => !disk.paths().some((f) => f.startsWith(folder)));
  return [...files, ...folders.map((folder) => `${folder}/`)].join(' ');
}

/** What the disk can look like if the power goes out after `act`, over many seeds. */
async function outcomes(act: (disk: WritableDisk) => Promise<unknown>): Promise<Set<string>> {
  const disk = crashingDisk(memoryDisk({ 'F/a.md': 'old', 'G/g.md': 'g' }));
  await act(disk);
  const seeds = Array.from({ length: 300 }, (_, seed) => chooseBySeed(seed));
  return new Set([dropAll, keepAll, ...seeds].map((choice) => shown(disk.afterCrash(choice))));
}

const stage = (disk: WritableDisk) => disk.stage(p('F/a.md'), 't', bytes('new'));
const place = (disk: WritableDisk) => disk.place(p('F/a.md'), 't', { replace: true });

describe('after a crash', () => {
  const old = 'F/a.md=old G/g.md=g';
  const moved = 'G/a.md=old G/g.md=g F/';
  test.each<[string, (disk: WritableDisk) => Promise<unknown>, string[]]>([
    ['nothing happened: the old is there', async () => {}, [old]],
    [
      'a staged file that was not synced is missing, whole, empty, torn or zeros',
      stage,
      [
        old,
        `F/.~vd-t.tmp=new ${old}`,
        `F/.~vd-t.tmp= ${old}`,
        `F/.~vd-t.tmp=n ${old}`,
        `F/.~vd-t.tmp=ne ${old}`,
        `F/.~vd-t.tmp=000 ${old}`,
      ],
    ],
    [
      'a replacement whose bytes were synced is old or new, and may leave its temporary file',
      async (disk) => {
        await stage(disk);
        await disk.syncStaged(p('F/a.md'), 't');
        await place(disk);
      },
      [old, `F/.~vd-t.tmp=new ${old}`, 'F/a.md=new G/g.md=g'],
    ],
    [
      'the same for a file that was synced when it was staged',
      async (disk) => {
        await disk.stage(p('F/a.md'), 't', bytes('new'), { sync: true });
        await place(disk);
      },
      [old, `F/.~vd-t.tmp=new ${old}`, 'F/a.md=new G/g.md=g'],
    ],
    [
      'a replacement whose folder was synced is new',
      async (disk) => {
        await stage(disk);
        await disk.syncStaged(p('F/a.md'), 't');
        await place(disk);
        await disk.syncFolder(vaultFolder('F'));
      },
      ['F/a.md=new G/g.md=g'],
    ],
    [
      'a file moved between folders has one name or both, never none',
      (disk) => disk.move(p('F/a.md'), p('G/a.md')),
      [old, `F/a.md=old G/a.md=old G/g.md=g`, moved],
    ],
    [
      'a file moved between folders is moved once its old folder was synced',
      async (disk) => {
        await disk.move(p('F/a.md'), p('G/a.md'));
        await disk.syncFolder(vaultFolder('F'));
      },
      [moved],
    ],
    [
      'a file moved between folders may keep its old name when only the new one was synced',
      async (disk) => {
        await disk.move(p('F/a.md'), p('G/a.md'));
        await disk.syncFolder(vaultFolder('G'));
      },
      [`F/a.md=old G/a.md=old G/g.md=g`, moved],
    ],
    [
      'a folder is moved with everything in it, or not',
      (disk) => disk.move(p('F'), p('G/F')),
      [old, 'G/F/a.md=old G/g.md=g'],
    ],
    [
      'a folder that is removed does not take along what had not left it',
      async (disk) => {
        await disk.move(p('F/a.md'), p('G/a.md'));
        await disk.removeFolder(p('F'));
      },
      [old, `F/a.md=old G/a.md=old G/g.md=g`, moved, 'G/a.md=old G/g.md=g'],
    ],
    [
      'a new folder is lost with what is in it while its own name is not synced',
      async (disk) => {
        await disk.makeFolder(p('N'));
        await disk.stage(p('N/n.md'), 't', bytes('n'));
        await disk.syncStaged(p('N/n.md'), 't');
        await disk.place(p('N/n.md'), 't', { replace: false });
        await disk.syncFolder(vaultFolder('N'));
      },
      [old, `${old} N/n.md=n`],
    ],
    [
      'removals of two files are independent',
      async (disk) => {
        await disk.remove(p('F/a.md'));
        await disk.remove(p('G/g.md'));
      },
      [old, 'G/g.md=g F/', 'F/a.md=old G/', 'F/ G/'],
    ],
  ])('%s', async (_name, act, expected) => {
    expect([...(await outcomes(act))].sort()).toEqual(expected.sort());
  });
});

test('the extremes: all kept, all dropped, names without contents', async () => {
  const disk = crashingDisk(memoryDisk({ 'F/a.md': 'old' }));
  await stage(disk);
  await place(disk);
  expect(shown(disk.afterCrash(keepAll))).toBe('F/a.md=new');
  expect(shown(disk.afterCrash(dropAll))).toBe('F/a.md=old');
  expect(shown(disk.afterCrash(keepNames))).toBe('F/a.md=');
});

test('the power goes out before, within and after each call, and stays out', async () => {
  const states: string[] = [];
  for (let crashAt = 1; ; crashAt++) {
    const memory = memoryDisk({ 'F/a.md': 'old' });
    const disk = crashingDisk(memory, { crashAt });
    const run = async () => {
      await disk.stage(p('F/n.md'), 't', bytes('new'));
      await disk.syncStaged(p('F/n.md'), 't');
      await disk.place(p('F/n.md'), 't', { replace: false });
    };
    const error = await run().catch((thrown: unknown) => thrown);
    states.push(shown(disk.afterCrash(keepAll)));
    if (error === undefined) break;
    expect(error).toBeInstanceOf(Crash);
    expect(disk.crashed).toBe(true);
    await expect(disk.read(p('F/a.md'), { bytesMax: 9 })).rejects.toBeInstanceOf(Crash);
    await expect(disk.unstage(p('F/n.md'), 't')).rejects.toBeInstanceOf(Crash);
    expect(shown(disk.afterCrash(keepAll))).toBe(states.at(-1));
  }
  const a = 'F/a.md=old';
  const t = (text: string) => `F/.~vd-t.tmp=${text} ${a}`;
  // Stage: three steps; sync: one; place: the second name, then the first goes.
  expect(states).toEqual([
    ...[a, t(''), t('n'), t('new')],
    ...[t('new'), t('new')],
    ...[t('new'), `${t('new')} F/n.md=new`, `${a} F/n.md=new`],
    `${a} F/n.md=new`,
  ]);
});

test('a file under two names is one file after the crash too', async () => {
  const disk = crashingDisk(memoryDisk({ 'F/a.md': 'old', 'G/g.md': 'g' }), { crashAt: 2 });
  await expect(disk.move(p('F/a.md'), p('G/a.md'))).rejects.toBeInstanceOf(Crash);
  const after = disk.afterCrash(keepAll);
  expect(shown(after)).toBe('F/a.md=old G/a.md=old G/g.md=g');
  await after.move(p('F/a.md'), p('G/a.md'));
  expect(shown(after)).toBe('G/a.md=old G/g.md=g F/');
});

test('what a person writes may be lost as well, and is no moment of ours', async () => {
  const memory = memoryDisk({ 'F/a.md': 'old' });
  const disk = crashingDisk(memory, { crashAt: 1 });
  memory.write('F/a.md', 'edited');
  expect(disk.crashed).toBe(false);
  expect(shown(disk.afterCrash(keepAll))).toBe('F/a.md=edited');
  expect(shown(disk.afterCrash(dropAll))).toBe('F/a.md=old');
});
