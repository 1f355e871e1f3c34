import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { errnoOf } from '../system/disk-error.ts';
import { asyncDisk, type DiskCalls, syncDisk } from './disk-calls.ts';
import { type HeldEntry, holdEntry, holdFolder, holdPath, holdTarget } from './hold-path.ts';
import { callsOn, openHandle, openHandleSync, type PathHandle, using } from './path-handle.ts';

/** A vault beside a folder that is not in it. */
function makeFolders(): { vault: string; outside: string } {
  const base = tempFolder({
    'vault/f/a.md': 'inside',
    'vault/f/sub/b.md': 'inside',
    'outside/a.md': 'outside',
    'outside/sub/b.md': 'outside',
  });
  return { vault: join(base, 'vault'), outside: join(base, 'outside') };
}

/** Moves a folder away and puts a symlink to another one in its place. */
function exchange(folder: string, target: string): string {
  const moved = join(dirname(dirname(folder)), 'moved');
  renameSync(folder, moved);
  symlinkSync(target, folder);
  return moved;
}

const hasHandles = syncDisk.openHandle !== undefined;
type Open = (path: string, options?: { readonly folder: boolean }) => Promise<PathHandle>;
const ways: [string, DiskCalls, Open][] = [
  ['at once', syncDisk, (path, options) => openHandle(syncDisk, path, options)],
  ['through threads', asyncDisk, (path, options) => openHandle(asyncDisk, path, options)],
  ['synchronously', syncDisk, async (path, options) => openHandleSync(path, options)],
];

describe.runIf(hasHandles).each(ways)('a handle opened %s', (_, calls, open) => {
  test('says where a path leads', async () => {
    const { vault, outside } = makeFolders();
    symlinkSync(outside, join(vault, 'link'));
    symlinkSync('f/a.md', join(vault, 'note.md'));
    const realOf = (path: string) => using(open(join(vault, path)), ({ real }) => real);
    expect(await realOf('f/sub')).toBe(join(vault, 'f/sub'));
    expect(await realOf('link/sub/b.md')).toBe(join(outside, 'sub/b.md'));
    expect(await realOf('note.md')).toBe(join(vault, 'f/a.md'));
  });

  test('stays with its folder when a symlink takes that place', async () => {
    const { vault, outside } = makeFolders();
    await using(open(join(vault, 'f'), { folder: true }), (held) => {
      const moved = exchange(join(vault, 'f'), outside);
      expect(readFileSync(held.at('a.md'), 'utf8')).toBe('inside');
      writeFileSync(held.at('new.md'), 'new');
      rmSync(held.at('a.md'));
      expect(readdirSync(held.path).toSorted()).toEqual(['new.md', 'sub']);
      expect(readdirSync(moved).toSorted()).toEqual(['new.md', 'sub']);
    });
    expect(readdirSync(outside).toSorted()).toEqual(['a.md', 'sub']);
  });

  test('stays with its file when a symlink takes that place', async () => {
    const { vault, outside } = makeFolders();
    await using(open(join(vault, 'f/a.md')), async (held) => {
      exchange(join(vault, 'f'), outside);
      const file = await calls.open(held.path, held.readFlags);
      try {
        const before = await held.stat(calls);
        expect(await held.isStill(calls, before, () => file.stat())).toBe(true);
        const bytes = Buffer.alloc(10);
        expect(bytes.toString('utf8', 0, await file.read(bytes, 0))).toBe('inside');
      } finally {
        await file.close();
      }
    });
  });

  test('of something that was removed at once is none, whatever its name', async () => {
    const vault = tempFolder({ 'a (deleted)': 'a', 'b (deleted)/c.md': 'c', 'd.md': 'd' });
    for (const name of ['a (deleted)', 'b (deleted)', 'b (deleted)/c.md']) {
      expect(await using(open(join(vault, name)), ({ real }) => real)).toBe(join(vault, name));
    }
    let opens = 0;
    const removing: DiskCalls = {
      ...calls,
      openHandle: async (path, flags) => {
        const file = (await calls.openHandle?.(path, flags)) as number;
        opens += 1;
        rmSync(path);
        if (opens < 3) writeFileSync(path, `${opens}`);
        return file;
      },
    };
    await expect(openHandle(removing, join(vault, 'd.md'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(opens).toBe(3);
  });

  test('asks the drive by its own calls whether such a name is there', async () => {
    const path = join(tempFolder({ 'a (deleted)': 'a', 'b.md': 'b' }), 'a (deleted)');
    const asked: string[] = [];
    const watching: DiskCalls = {
      ...calls,
      lstatIfThere: async (at) => {
        asked.push(at);
        return undefined;
      },
    };
    await expect(openHandle(watching, path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(new Set(asked)).toEqual(new Set([path]));
    asked.length = 0;
    await using(openHandle(watching, join(path, '../b.md')), ({ real }) => real);
    expect(asked).toEqual([]);
  });

  test('of a pipe does not wait, and one of nothing or of another kind fails', async () => {
    const { vault } = makeFolders();
    execFileSync('mkfifo', [join(vault, 'pipe')]);
    const found = await using(open(join(vault, 'pipe')), (held) => held.stat(calls));
    expect(found.isFIFO()).toBe(true);
    const codeOf = (path: string) =>
      open(join(vault, path), { folder: true }).then(String, errnoOf);
    expect(await codeOf('pipe')).toBe('ENOTDIR');
    expect(await codeOf('f/a.md')).toBe('ENOTDIR');
    expect(await codeOf('nothing')).toBe('ENOENT');
  });

  test('does not reach names whose whole path is too long for the system', async () => {
    const vault = tempFolder();
    const deep = join(vault, ...Array.from({ length: 20 }, () => 'd'.repeat(190)));
    mkdirSync(deep, { recursive: true });
    await using(open(deep, { folder: true }), (held) => {
      const fits = 'e'.repeat(4_095 - deep.length - 1);
      writeFileSync(held.at(fits), '');
      expect(existsSync(join(deep, fits))).toBe(true);
      expect(() => writeFileSync(held.at(`${fits}e`), '')).toThrow('ENAMETOOLONG');
    });
  });

  test('leaves nothing open, also when something fails', async () => {
    const { vault, outside } = makeFolders();
    symlinkSync(outside, join(vault, 'link'));
    symlinkSync('f/a.md', join(vault, 'note.md'));
    const roots = { root: vault, allowed: [], calls };
    const opened = () => readdirSync('/proc/self/fd').length;
    const before = opened();
    const close = (held: PathHandle | HeldEntry) => held.close();
    const ignore = () => undefined;
    for (let n = 0; n < 100; n++) {
      for (const path of ['f/a.md', 'note.md', 'link/a.md', 'nothing.md', 'f/a.md/b', 'f']) {
        await holdPath(roots, vaultPath(path)).then(close, ignore);
        await holdFolder(roots, vaultPath(path)).then(close, ignore);
        await holdEntry(roots, vaultPath(path)).then(close, ignore);
        await holdTarget(roots, vaultPath(path)).then(close, ignore);
        await using(open(join(vault, path)), () => {
          throw new Error('of the call');
        }).catch(ignore);
      }
    }
    // Other tests of this process may have some of their own.
    expect(opened()).toBeLessThan(before + 50);
  });
});

describe.runIf(hasHandles)('what is held for a vault path', () => {
  /** Calls that do something once, right after the n-th handle was opened. */
  function changingAfter(n: number, change: () => void): DiskCalls {
    let left = n;
    return {
      ...syncDisk,
      openHandle: (path, flags) => {
        const file = syncDisk.openHandle?.(path, flags) as number;
        left -= 1;
        if (left === 0) change();
        return file;
      },
    };
  }

  test.each([
    ['its own folder, when that was opened', 'links', 1],
    ['the folder that it leads to, when the file was opened', 'f', 2],
    ['the folder that it leads to, when that was opened', 'f', 3],
  ])('a symlink is refused after an exchange of %s', async (_, folder, n) => {
    const { vault, outside } = makeFolders();
    mkdirSync(join(vault, 'links'));
    symlinkSync('../f/a.md', join(vault, 'links/a.md'));
    const calls = changingAfter(n, () => exchange(join(vault, folder), outside));
    const holding = holdTarget({ root: vault, allowed: [], calls }, vaultPath('links/a.md'));
    await expect(holding).rejects.toMatchObject({ code: 'outside_vault' });
  });

  test('a folder exchanged with a symlink to another folder of the vault is refused', async () => {
    const { vault } = makeFolders();
    mkdirSync(join(vault, 'private'));
    writeFileSync(join(vault, 'private/a.md'), 'private');
    const roots = { root: vault, allowed: [], calls: syncDisk };
    exchange(join(vault, 'f'), join(vault, 'private'));
    const back = (): void => {
      rmSync(join(vault, 'f'));
      renameSync(join(dirname(vault), 'moved'), join(vault, 'f'));
    };
    await expect(holdPath(roots, vaultPath('f/a.md'))).rejects.toMatchObject({
      code: 'outside_vault',
    });
    // The file behind the symlink was opened; when its folder is looked at, all is as it was.
    const calls = changingAfter(1, back);
    await using(holdPath({ ...roots, calls }, vaultPath('f/a.md')), (held) => {
      expect(readFileSync(held.path, 'utf8')).toBe('inside');
    });
  });
});

describe('without handles', () => {
  const calls = callsOn(syncDisk, 'darwin');

  async function stillAfter(change: (file: string, outside: string) => void): Promise<boolean> {
    const { vault, outside } = makeFolders();
    const held = await openHandle(calls, join(vault, 'f/a.md'));
    expect([held.path, held.real]).toEqual([join(vault, 'f/a.md'), join(vault, 'f/a.md')]);
    const before = await held.stat(calls);
    change(join(vault, 'f/a.md'), outside);
    const file = await calls.open(held.path, held.readFlags);
    try {
      return await held.isStill(calls, before, () => file.stat());
    } finally {
      await file.close();
      held.close();
    }
  }

  test.runIf(makesSymlinks)(
    'a file that was opened is compared with what lies inside',
    async () => {
      expect(await stillAfter(() => undefined)).toBe(true);
      expect(await stillAfter((file, outside) => exchange(dirname(file), outside))).toBe(false);
      expect(
        await stillAfter((file) => {
          writeFileSync(`${file}.new`, 'inside');
          renameSync(`${file}.new`, file);
        }),
      ).toBe(false);
    },
  );
});
