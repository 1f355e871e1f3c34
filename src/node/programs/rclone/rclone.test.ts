import {
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import {
  type StandInPrograms,
  standInPrograms,
} from '../../../../test/support/stand-in-programs.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import type { Progress } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import type { VaultSync } from '../../../engine/ports/vault-sync.ts';
import { openRclone } from './rclone.ts';

type RcloneOptions = Parameters<typeof openRclone>[0];

// Every run is a real child process: a stand-in for rclone that copies from folder to folder. What
// rclone itself does is tried in scripts/test-sync.mjs.

interface Setup {
  readonly programs: StandInPrograms;
  readonly root: string;
  readonly remote: string;
  readonly state: string;
  readonly sync: VaultSync;
}

function setUp(
  options: Partial<RcloneOptions> = {},
  env: Readonly<Record<string, string>> = {},
): Setup {
  const programs = standInPrograms('rclone');
  const [root, remote, state] = [tempFolder(), tempFolder(), tempFolder()];
  const sync = openRclone({
    root,
    remote,
    stateFolder: state,
    direction: 'pull',
    platform: 'linux',
    env: { ...programs.env, ...env },
    lock: { tryTake: async () => true, release: () => undefined },
    ...options,
  });
  return { programs, root, remote, state, sync };
}

const run = (sync: VaultSync, options: Partial<Parameters<VaultSync['run']>[0]> = {}) =>
  sync.run({
    signal: new AbortController().signal,
    onProgress: () => undefined,
    alone: (work) => work(),
    ...options,
  });

/** Writes a file whose time is so many minutes ago. */
function write(folder: string, path: string, text: string, minutesAgo: number): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
  const time = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(join(folder, path), time, time);
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

const argsOf = (programs: StandInPrograms): string[][] =>
  programs.calls().map((call) => (call as { args: string[] }).args);

/** A process that has ended but that nobody has asked about yet is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === 'win32')('pulling', () => {
  it.each<[string, [string, number] | undefined, [string, number], string]>([
    ['a file that is new', undefined, ['theirs', 5], 'theirs'],
    ['one that is newer there', ['ours', 9], ['theirs', 5], 'theirs'],
    ['not one that is newer here', ['ours', 5], ['theirs', 9], 'ours'],
    ['not one of the same time', ['ours', 5], ['theirs', 5], 'ours'],
  ])('brings %s', async (_, ours, theirs, expected) => {
    const { root, remote, sync } = setUp();
    const minute = new Date(2026, 1, 1);
    if (ours) write(root, 'sub/a.md', ...ours);
    write(remote, 'sub/a.md', ...theirs);
    if (ours?.[1] === theirs[1])
      for (const folder of [root, remote]) utimesSync(join(folder, 'sub/a.md'), minute, minute);
    const placed = expected === 'theirs' ? 1 : 0;
    expect(await run(sync)).toEqual({
      direction: 'pull',
      transferred: placed,
      deleted: 0,
      bytes: 6 * placed,
    });
    expect(read(root, 'sub/a.md')).toBe(expected);
  });

  it('keeps what it replaces, and leaves nothing else behind', async () => {
    const { root, remote, state, sync } = setUp();
    write(root, 'a.md', 'ours', 9);
    write(root, 'only-here.md', 'stays', 9);
    write(remote, 'a.md', 'theirs', 5);
    await run(sync);
    const [time = ''] = await readdir(join(state, 'sync/replaced'));
    expect(read(state, `sync/replaced/${time}/a.md`)).toBe('ours');
    expect(await readdir(join(state, 'sync'))).toEqual(['replaced']);
    expect(await readdir(root)).toEqual(['a.md', 'only-here.md']);
  });

  it('touches no note before all has arrived, and waits for its turn to place them', async () => {
    const { root, remote, sync } = setUp();
    write(root, 'a.md', 'ours', 9);
    write(remote, 'a.md', 'theirs', 5);
    await run(sync, {
      alone: (work) => {
        expect(read(root, 'a.md')).toBe('ours');
        write(root, 'a.md', 'edited meanwhile', 0);
        return work();
      },
    });
    expect(read(root, 'a.md')).toBe('edited meanwhile');
  });

  it('writes through no symlink, and says which files it left out', async () => {
    const { root, remote, sync } = setUp();
    const outside = tempFolder({ 'a.md': 'outside' });
    symlinkSync(outside, join(root, 'linked'));
    symlinkSync(join(outside, 'a.md'), join(root, 'b.md'));
    for (const path of ['linked/a.md', 'b.md', 'c.md']) write(remote, path, 'theirs', 0);
    const error = await failureOf(run(sync));
    expect(error).toMatchObject({ code: 'conflict', excerpt: 'b.md\nlinked/a.md' });
    expect([read(outside, 'a.md'), read(root, 'c.md')]).toEqual(['outside', 'theirs']);
    expect(await readdir(outside)).toEqual(['a.md']);
  });

  it('places what has arrived when a file failed, and fails with what rclone said', async () => {
    const { root, remote, sync } = setUp({}, { STAND_IN_RCLONE: 'fails' });
    write(remote, 'a.md', 'theirs', 0);
    const error = await failureOf(run(sync));
    expect(error).toMatchObject({ code: 'unavailable', details: { exitCode: 1 } });
    expect(error.excerpt).toBe('secret.md: Failed to copy: no permission');
    expect(read(root, 'a.md')).toBe('theirs');
  });

  it('removes what a run has left that was cut off', async () => {
    const { root, remote, state, sync } = setUp();
    write(state, 'sync/incoming/sub/half.md', 'half', 0);
    write(root, 'sub/.~vd-pulled.tmp', 'half', 0);
    write(remote, 'a.md', 'theirs', 0);
    await run(sync);
    expect(await readdir(join(root, 'sub'))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('what a run that was cut off has torn', () => {
  it.each<['pull' | 'push' | 'bisync', string, string, string]>([
    ['pull', 'begin', 'beginning', 'beginning'],
    ['pull', '', 'beginning', 'beginning'],
    ['bisync', 'begin', 'beginning', 'beginning'],
    ['push', 'begin', 'beginning', 'beginning'],
    ['pull', 'beginning', 'begin', 'beginning'],
    ['push', 'beginning', 'begin', 'beginning'],
    ['pull', 'mine', 'theirs', 'mine'],
  ])('is mended by the next %s: %j here and %j there', async (direction, ours, theirs, whole) => {
    const { root, remote, state, sync } = setUp({ direction });
    // The torn one is always the newer one.
    const isOursTorn = ours.length < theirs.length;
    write(root, 'a.md', ours, isOursTorn ? 0 : 9);
    write(remote, 'a.md', theirs, isOursTorn ? 9 : 0);
    write(state, 'sync/torn', '', 0);
    await run(sync);
    expect(read(root, 'a.md')).toBe(whole);
    expect(existsSync(join(state, 'sync/torn'))).toBe(false);
  });

  it('is remembered when rclone was ended, and not when it ended by itself', async () => {
    const failing = setUp({ direction: 'push' }, { STAND_IN_RCLONE: 'loses-all' });
    await failureOf(run(failing.sync));
    expect(existsSync(join(failing.state, 'sync/torn'))).toBe(false);
    const { programs, state, sync } = setUp({ direction: 'push' }, { STAND_IN_RCLONE: 'hangs' });
    const controller = new AbortController();
    const running = failureOf(run(sync, { signal: controller.signal }));
    await vi.waitFor(() => expect(programs.calls()).toHaveLength(2), { timeout: 30_000 });
    controller.abort();
    await running;
    expect(existsSync(join(state, 'sync/torn'))).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('rclone', () => {
  it('is started without a shell, without our secrets, and with its words coming to us', async () => {
    const env = { VAULTDOOR_TOKEN: 'x', RCLONE_LOG_FILE: '/x', RCLONE_CONFIG: '/c' };
    const { programs, root, remote, sync } = setUp({ direction: 'push' }, env);
    await run(sync);
    expect(programs.calls()).toEqual([
      {
        args: [
          'copy',
          ...['--use-json-log', '--stats', '1s', '-v', '--exclude', '.~vd-*.tmp'],
          '--ask-password=false',
          ...['--update', '--retries', '5', '--retries-sleep', '200ms'],
          ...['--', root, remote],
        ],
        env: ['RCLONE_CONFIG', 'STAND_IN_RCLONE'].filter((name) => name in env),
      },
    ]);
  });

  it('pushes with its own counts, and tells how far it is', async () => {
    const { root, remote, sync } = setUp({ direction: 'push' });
    write(root, 'a.md', 'ours', 0);
    const told: Progress[] = [];
    const result = await run(sync, { onProgress: (progress) => told.push(progress) });
    expect(result).toEqual({ direction: 'push', transferred: 2, deleted: 1, bytes: 8 });
    expect(told.map(({ done, total }) => [done, total])).toEqual([
      [4, 8],
      [8, 8],
    ]);
    expect(read(remote, 'a.md')).toBe('ours');
  });

  it('begins a bisync with a pull and a resync, once', async () => {
    const { programs, root, remote, sync } = setUp({ direction: 'bisync' });
    write(remote, 'a.md', 'theirs', 0);
    expect(await run(sync)).toEqual({ direction: 'bisync', transferred: 3, deleted: 1, bytes: 14 });
    await run(sync);
    expect(read(root, 'a.md')).toBe('theirs');
    const kinds = argsOf(programs).map((args) => [args[0], args.includes('--resync')]);
    expect(kinds).toEqual([
      ['copy', false],
      ['bisync', true],
      ['bisync', false],
    ]);
    expect(argsOf(programs).flat()).not.toContain('sync');
  });

  it('is told about as it failed, without places of this machine, on few lines', async () => {
    const { root, remote, sync } = setUp({ direction: 'push' }, { STAND_IN_RCLONE: 'loses-all' });
    const { code, message, excerpt = '' } = await failureOf(run(sync));
    expect(code).toBe('unavailable');
    expect(message).toMatch(/exit code 3/);
    expect(excerpt.split('\n')[0]).toBe('a.md: directory the vault not found');
    expect(excerpt.split('\n')).toHaveLength(2);
    expect(excerpt.length).toBeLessThanOrEqual(limits.syncErrorCharsMax);
    for (const place of [root, remote]) expect(message + excerpt).not.toContain(place);
  });

  it('is told about when it does not know an option', async () => {
    const { sync } = setUp({ direction: 'push' }, { STAND_IN_RCLONE: 'refuses' });
    const { excerpt } = await failureOf(run(sync));
    expect(excerpt).toBe('Error: unknown flag: --compare-dest');
  });

  it('is missed with how to install it', async () => {
    const { sync } = setUp({ env: { PATH: '/nowhere' } });
    const { code, message } = await failureOf(run(sync));
    expect([code, message]).toEqual(['unavailable', expect.stringContaining('apt install rclone')]);
  });

  it('does not run beside another one, of this process or of another', async () => {
    const held = setUp({ lock: { tryTake: async () => false, release: () => undefined } });
    expect(await failureOf(run(held.sync))).toMatchObject({ code: 'conflict' });
    expect(held.programs.calls()).toEqual([]);
    const { sync } = setUp({ direction: 'push' });
    const first = run(sync);
    expect(await failureOf(run(sync))).toMatchObject({ code: 'conflict' });
    await first;
    await run(sync);
  });

  it('is ended with everything it started when the call is called off, before the lock is let go', async () => {
    let isHeld = false;
    const lock = {
      tryTake: async () => {
        isHeld = true;
        return true;
      },
      release: () => {
        isHeld = false;
      },
    };
    const { programs, state, sync } = setUp({ lock }, { STAND_IN_RCLONE: 'hangs' });
    const controller = new AbortController();
    const running = failureOf(run(sync, { signal: controller.signal }));
    const pids = await vi.waitFor(
      () => {
        const call = programs.calls()[1] as { pids: number[] } | undefined;
        if (call === undefined) throw new Error('It has not started yet.');
        return call.pids;
      },
      { timeout: 30_000 },
    );
    expect(isHeld).toBe(true);
    controller.abort();
    const { code, message } = await running;
    expect([code, message]).toEqual(['cancelled', expect.stringContaining('was not changed')]);
    expect(isHeld).toBe(false);
    expect(isAlive(pids[0] ?? 0)).toBe(false);
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), { timeout: 30_000 });
    expect(existsSync(join(state, 'sync/incoming'))).toBe(false);
  });
});
