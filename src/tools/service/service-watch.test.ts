import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openFsVault } from '../../../test/support/fs-vault.ts';
import { linesOf, settled } from '../../../test/support/watched-folder.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import { allScopes, type Caller } from '../../base/caller.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { WatchReport } from '../../engine/ports/ports.ts';
import { SharedWatcher } from '../../engine/watch/shared-watcher.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { fsToolset } from '../fs/fs-toolset.ts';
import { createService } from './service.ts';

/** A vault whose watcher tells nothing but what the test says. */
async function openWatched() {
  let tell: (report: WatchReport) => void = () => undefined;
  const watcher = new SharedWatcher({
    start: async (listener) => {
      tell = listener;
    },
    flush: async () => undefined,
    close: async () => undefined,
  });
  const vault = await openFsVault({ parts: { watcher } });
  onTestFinished(() => vault.close());
  const toolset = fsToolset({ thumbnails: false, search: false });
  const service = createService(vault.whole, [toolset], nodeTimers);
  const watch = async (path: string, caller: Partial<Caller> = {}, lines: string[] = []) => {
    const watched = { path, recursive: true };
    const end = await service.watch?.(watched, testCaller({ door: 'remote', ...caller }), (some) =>
      lines.push(...linesOf(some)),
    );
    return { lines, end };
  };
  const settle = async (): Promise<void> => {
    if (vault.whole.tree !== undefined) await settled(vault.whole.tree);
  };
  /**
   * The lines that a watch was told. The tree tells before the service has looked at what the caller
   * may see, so this makes one more file and waits for its line, which comes after all others.
   */
  const told = async (lines: readonly string[], folder = ''): Promise<readonly string[]> => {
    const path = `${folder}the-last.md`;
    await vault.call('fs.write', { path });
    await vi.waitFor(() => expect(lines.at(-1)).toBe(`created ${path}`), { timeout: 10_000 });
    return lines.slice(0, -1);
  };
  return { ...vault, watch, settle, told, tell: (report: WatchReport) => tell(report) };
}

describe('our own changes are told though the watcher says nothing', () => {
  test.each<[calls: [method: string, params: object][], expected: string[]]>([
    [[['fs.write', { path: 'new.md', content: 'x' }]], ['created new.md']],
    [[['fs.write', { path: 'Notes/a.md', content: 'x' }]], ['modified Notes/a.md']],
    [
      [
        ['fs.write', { path: 'new.md', content: 'x' }],
        ['fs.write', { path: 'new.md', content: 'y' }],
        ['fs.append', { path: 'new.md', content: 'z' }],
        ['fs.remove', { path: 'new.md' }],
      ],
      ['created new.md', 'modified new.md', 'modified new.md', 'deleted new.md'],
    ],
    [[['fs.append', { path: 'link.md', content: 'x' }]], ['modified Notes/a.md']],
    [
      [['fs.write', { path: 'p/q/new.md', content: 'x' }]],
      ['created p', 'created p/q', 'created p/q/new.md'],
    ],
    [[['fs.mkdir', { path: 'p/q', recursive: true }]], ['created p', 'created p/q']],
    [[['fs.mkdir', { path: 'Notes' }]], []],
    [
      [['fs.rename', { oldPath: 'old.md', newPath: 'Notes/o.md' }]],
      ['deleted old.md', 'created Notes/o.md'],
    ],
    [
      [['fs.rename', { oldPath: 'old.md', newPath: 'zero.md' }]],
      ['deleted old.md', 'modified zero.md'],
    ],
    [
      [
        ['fs.rename', { oldPath: 'Notes', newPath: 'N' }],
        ['fs.write', { path: 'N/deep/b.md', content: 'x' }],
      ],
      [
        'deleted Notes/deep/b.md',
        'deleted Notes/a.md',
        'deleted Notes/deep',
        'deleted Notes',
        'created N',
        'created N/a.md',
        'created N/deep',
        'created N/deep/b.md',
        'modified N/deep/b.md',
      ],
    ],
    [[['fs.copy', { srcPath: 'old.md', destPath: 'copy.md' }]], ['created copy.md']],
    [
      [['fs.rmdir', { path: 'Notes', recursive: true }]],
      ['deleted Notes/deep/b.md', 'deleted Notes/a.md', 'deleted Notes/deep', 'deleted Notes'],
    ],
    [
      [['fs.trashLocal', { path: 'Notes/a.md' }]],
      ['deleted Notes/a.md', 'created .trash/Notes', 'created .trash/Notes/a.md'],
    ],
  ])('%o', async (calls, expected) => {
    const { call, watch, settle, told } = await openWatched();
    const { lines } = await watch('');
    for (const [method, params] of calls) {
      expect(await call(method, params)).toBeTypeOf('object');
      await settle();
    }
    expect(await told(lines)).toEqual(expected);
  });
});

test('what others do is told as soon as the watcher says that something happened', async () => {
  const { root, watch, settle, tell } = await openWatched();
  const { lines, end } = await watch('/');
  writeFileSync(join(root, 'new.md'), '');
  tell({ paths: [vaultPath('new.md')], folders: [], reconcile: false });
  await settle();
  await vi.waitFor(() => expect(lines).toEqual(['created new.md']), { timeout: 10_000 });
  end?.();
  writeFileSync(join(root, 'other.md'), '');
  tell({ paths: [vaultPath('other.md')], folders: [], reconcile: false });
  await settle();
  expect(lines).toEqual(['created new.md']);
});

test('nobody hears of what they may not see, but of the folders on the way to what they may', async () => {
  const { call, watch, settle, told } = await openWatched();
  const scopes = { ...allScopes, folders: [vaultPath('in/side')], hide: ['secret*'] };
  const { lines } = await watch('', { scopes });
  for (const path of ['in/side/a.md', 'in/other.md', 'top.md', 'in/side/secret.md', 'in/sid']) {
    await call('fs.write', { path });
    await settle();
  }
  const heard = await told(lines, 'in/side/');
  expect(heard).toEqual(['created in', 'created in/side', 'created in/side/a.md']);
});

describe('what cannot be watched', () => {
  const scopes = { ...allScopes, folders: [vaultPath('Notes')], hide: ['secret*'] };
  test.each<[path: string, caller: Partial<Caller>, code: string]>([
    ['../x', {}, 'outside_vault'],
    ['/x', {}, 'outside_vault'],
    ['a\\b', {}, 'outside_vault'],
    ['a\0b', {}, 'invalid_input'],
    ['Old', { scopes }, 'not_found'],
    ['Notes/secret', { scopes }, 'not_found'],
    ['Notes', { scopes: { ...allScopes, effects: [] } }, 'forbidden'],
  ])('%j', async (path, caller, code) => {
    const { watch } = await openWatched();
    await expect(watch(path, caller)).rejects.toMatchObject({ code });
  });

  test('a vault without a watcher', async () => {
    const vault = await openFsVault();
    onTestFinished(() => vault.close());
    const service = createService(vault.whole, [], nodeTimers);
    const watched = { path: '', recursive: true };
    await expect(service.watch?.(watched, testCaller(), () => undefined)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

test('what is not there yet can be watched, and a folder by any of its spellings', async () => {
  const { call, watch, settle, told } = await openWatched();
  const watches = await Promise.all(['new', 'new/', './new', 'new//'].map((path) => watch(path)));
  await call('fs.write', { path: 'new/a.md' });
  await settle();
  const [first, ...others] = watches.map(({ lines }) => lines);
  expect(await told(first ?? [], 'new/')).toEqual(['created new', 'created new/a.md']);
  for (const lines of others) {
    await vi.waitFor(() => expect(lines).toEqual(first), { timeout: 10_000 });
  }
});

test('a call that is given up while the vault is walked watches nothing', async () => {
  const { call, watch, settle } = await openWatched();
  const giveUp = new AbortController();
  const lines: string[] = [];
  const watching = watch('', { signal: giveUp.signal }, lines);
  giveUp.abort();
  await expect(watching).rejects.toMatchObject({ code: 'cancelled' });
  await call('fs.write', { path: 'new.md' });
  await settle();
  expect(lines).toEqual([]);
});
