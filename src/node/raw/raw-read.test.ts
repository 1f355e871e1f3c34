import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { RawDisk } from '../../engine/ports/raw-disk.ts';
import { LoopTurns } from '../disk/loop-turns.ts';
import { callsOn, openHandle } from '../disk/path-handle.ts';
import { type RawCalls, syncCalls } from './raw-calls.ts';
import { openRawDisk } from './raw-disk.ts';
import { RawPlaces } from './raw-places.ts';
import { readRaw } from './raw-read.ts';

const ways = [
  ['without threads', true],
  ['through threads', false],
] as const;

const open = (root: string, sync: boolean): RawDisk =>
  openRawDisk(root, { check: async () => undefined, sync });

const path = vaultPath('a.md');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const never = new AbortController().signal;

describe.each(ways)('reading %s', (_, sync) => {
  test.each([0, 1, 4_096, 128 * 1024, 128 * 1024 + 1, 3 * 1024 * 1024 + 7])(
    'a file of %i bytes is read, and hashed, exactly',
    async (size) => {
      const content = randomBytes(size);
      const root = tempFolder();
      writeFileSync(join(root, 'a.md'), content);
      const disk = open(root, sync);
      const { bytes, stat } = await disk.read(path, { bytesMax: size });
      expect(Buffer.compare(bytes, content)).toBe(0);
      expect(stat).toEqual(await disk.stat(path));
      expect(await disk.hash(path, { signal: never })).toEqual({ version: sha256(content), stat });
    },
  );

  test('a file over the limit is refused before it is read', async () => {
    const root = tempFolder({ 'a.md': '' });
    truncateSync(join(root, 'a.md'), 2 ** 40);
    expect(await failureOf(open(root, sync).read(path, { bytesMax: 5 }))).toMatchObject({
      code: 'too_large',
      details: { path: 'a.md', size: 2 ** 40, bytesMax: 5 },
    });
  });

  test.each([
    [0, 4, '0123'],
    [3, 4, '3456'],
    [8, 4, '89'],
    [10, 4, ''],
    [11, 4, ''],
    [0, 0, ''],
    [0, Number.MAX_SAFE_INTEGER, '0123456789'],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, ''],
  ])('from %i on, %i bytes are %j', async (offset, length, expected) => {
    const disk = open(tempFolder({ 'a.md': '0123456789' }), sync);
    const { bytes, stat } = await disk.readRange(path, { offset, length });
    expect(Buffer.from(bytes).toString()).toBe(expected);
    expect(stat.size).toBe(10);
  });

  test('a piece from the end of a file that no memory could hold is read', async () => {
    const root = tempFolder({ 'a.md': '' });
    truncateSync(join(root, 'a.md'), 2 ** 40);
    const { bytes } = await open(root, sync).readRange(path, { offset: 2 ** 40 - 3, length: 99 });
    expect([...bytes]).toEqual([0, 0, 0]);
  });

  test('what is read is of one moment, whoever writes meanwhile', async () => {
    const root = tempFolder({ 'a.md': 'a'.repeat(300_000) });
    const disk = open(root, sync);
    const all = Array.from({ length: 20 }, async (_unused, i) => {
      const read = disk.read(path, { bytesMax: 400_000 });
      const hash = disk.hash(path, { signal: never });
      writeFileSync(join(root, 'a.md'), String.fromCharCode(98 + i).repeat(300_000 + i));
      const { bytes, stat } = await read;
      expect(new Set(bytes).size).toBe(1);
      expect(bytes.length).toBe(stat.size);
      const hashed = await hash;
      const letters = Array.from({ length: 21 }, (_each, at) => String.fromCharCode(97 + at));
      expect(letters.map((letter) => sha256(letter.repeat(hashed.stat.size)))).toContain(
        hashed.version,
      );
    });
    await Promise.all(all);
  });

  test('a hash ends when its call does', async () => {
    const root = tempFolder({ 'a.md': '' });
    truncateSync(join(root, 'a.md'), 2 ** 40);
    const ending = new AbortController();
    const hash = failureOf(open(root, sync).hash(path, { signal: ending.signal }));
    setTimeout(() => ending.abort(), 20);
    expect(await hash).toMatchObject({ code: 'cancelled' });
  });

  test('a pipe is not opened, though someone waits at its other end', async () => {
    const root = tempFolder();
    execFileSync('mkfifo', [join(root, 'a.md')]);
    symlinkSync('a.md', join(root, 'link.md'));
    const writer = spawn('sh', ['-c', 'exec echo text > a.md'], { cwd: root, stdio: 'ignore' });
    await once(writer, 'spawn');
    const disk = open(root, sync);
    for (const name of [path, vaultPath('link.md')]) {
      const calls = [
        disk.read(name, { bytesMax: 9 }),
        disk.readRange(name, { offset: 0, length: 9 }),
        disk.hash(name, { signal: never }),
      ];
      const failures = await Promise.all(calls.map(failureOf));
      expect(failures.map(({ code }) => code)).toEqual(['forbidden', 'forbidden', 'forbidden']);
    }
    expect(writer.exitCode).toBeNull();
    writer.kill();
    await once(writer, 'exit');
  });

  test.runIf(process.platform === 'linux')('no descriptor stays open', async () => {
    const root = tempFolder({ 'a.md': 'text', 'folder/b.md': '' });
    const disk = open(root, sync);
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const before = descriptors();
    for (let i = 0; i < 50; i++) {
      await disk.read(path, { bytesMax: 9 });
      await failureOf(disk.read(path, { bytesMax: 1 }));
      await disk.readRange(path, { offset: 1, length: 1 });
      await disk.hash(path, { signal: never });
      await failureOf(disk.hash(path, { signal: AbortSignal.abort() }));
      await failureOf(disk.read(vaultPath('folder'), { bytesMax: 9 }));
      await disk.walk('', { recursive: true, entriesMax: 1 });
    }
    // Other tests of this process may have some of their own.
    expect(descriptors()).toBeLessThan(before + 50);
  });
});

describe('a file that is replaced between the look and the opening', () => {
  /** Reads `a.md` after doing something to it, once, as soon as it was looked at. */
  async function readAfter(calls: RawCalls, change: (file: string) => void): Promise<string> {
    const root = tempFolder({ 'vault/a.md': 'text', 'secret.md': 'secret' });
    let isChanged = false;
    const then = <T>(found: T): T => {
      if (isChanged) return found;
      isChanged = true;
      unlinkSync(join(root, 'vault/a.md'));
      change(join(root, 'vault/a.md'));
      return found;
    };
    const changing: RawCalls = {
      ...calls,
      stat: (file) => then(calls.stat(file)),
      fstat: (file) => then(calls.fstat(file)),
    };
    const places = new RawPlaces(join(root, 'vault'), changing);
    const hold = () => places.hold(path);
    return readRaw(changing, { path, hold, bytesMax: 100, turns: new LoopTurns() }).then(
      ({ bytes }) => Buffer.from(bytes).toString(),
      (error: { code: string }) => error.code,
    );
  }

  test.each<[string, (file: string) => void, string]>([
    ['a symlink', (file) => symlinkSync('../secret.md', file), 'ELOOP'],
    ['another file', (file) => writeFileSync(file, 'new'), 'new'],
    ['a pipe', (file) => execFileSync('mkfifo', [file]), 'forbidden'],
    ['a folder', (file) => mkdirSync(file), 'is_a_folder'],
    ['nothing', () => undefined, 'ENOENT'],
  ])(
    'by %s is the file that was looked at; without handles it is not read',
    async (_, change, code) => {
      if (syncCalls.openHandle !== undefined)
        expect(await readAfter(syncCalls, change)).toBe('text');
      expect(await readAfter(callsOn(syncCalls, 'darwin'), change)).toBe(code);
    },
  );
});

describe('a file that changes while it is read', () => {
  /** Reads `a.md`, to which so many times something is added in the middle of it. */
  async function readWhileGrowing(times: number) {
    const real = join(tempFolder({ 'a.md': '.' }), 'a.md');
    let left = times;
    const read: RawCalls['read'] = (...call) => {
      const count = syncCalls.read(...call);
      if (left > 0) appendFileSync(real, '+');
      left -= 1;
      return count;
    };
    const calls = { ...syncCalls, read };
    const hold = () => openHandle(calls, real);
    const { bytes, stat } = await readRaw(calls, {
      path,
      hold,
      bytesMax: 100,
      turns: new LoopTurns(),
    });
    return [Buffer.from(bytes).toString(), stat.size];
  }

  test('is read again', async () => {
    expect(await readWhileGrowing(0)).toEqual(['.', 1]);
    expect(await readWhileGrowing(2)).toEqual(['.++', 3]);
  });

  test('is read although opening it changes its time, as on a FUSE drive', async () => {
    const real = join(tempFolder({ 'a.md': 'text' }), 'a.md');
    let opens = 0;
    const open: RawCalls['open'] = (file, flags) => {
      opens += 1;
      utimesSync(real, opens, opens);
      return syncCalls.open(file, flags);
    };
    const calls = { ...syncCalls, open };
    const hold = () => openHandle(calls, real);
    const { bytes } = await readRaw(calls, { path, hold, bytesMax: 100, turns: new LoopTurns() });
    expect(Buffer.from(bytes).toString()).toBe('text');
  });

  test('is given up when it never holds still', async () => {
    expect(await failureOf(readWhileGrowing(1_000))).toMatchObject({ code: 'io_failed' });
  });
});
