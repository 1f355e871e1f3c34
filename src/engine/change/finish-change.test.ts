import { describe, expect, it } from 'vitest';
import type { MemoryDisk } from '../../../test/support/memory-disk.ts';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { memoryState } from '../../../test/support/memory-state.ts';
import { wrapDisk } from '../../../test/support/wrap-disk.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { nodeHash } from '../../node/system/node-ports.ts';
import type { ChangeStep, NewChange, StoredChange } from '../ports/state-store.ts';
import { rollBack, rollForward, settleSingle } from './finish-change.ts';
import { recoverChanges } from './recover-changes.ts';

const p = vaultPath;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const version = (text: string): Version => nodeHash.version(bytes(text));
const change = (steps: readonly ChangeStep[]): NewChange => ({
  door: 'cli',
  tool: 'test',
  args: {},
  timeMs: 1,
  steps,
});
const stored = (steps: readonly ChangeStep[], state: 'single' | 'undoing') => ({
  ...change(steps),
  id: 1,
  state,
  kept: [],
});
const filesOf = (disk: MemoryDisk): Record<string, string> =>
  Object.fromEntries(disk.paths().map((path) => [path, disk.text(path)]));
const write = (path: string, before: string | undefined, after: string): ChangeStep => ({
  do: 'write',
  path: p(path),
  ...(before === undefined ? {} : { before: version(before) }),
  after: version(after),
  token: 't',
});

const moveOver = (over: Version | 'unkept'): ChangeStep => ({
  do: 'move',
  path: p('a.md'),
  to: p('b.md'),
  over,
});

describe('rolling forward', () => {
  it('keeps what an editor saved after the mark, and says so', async () => {
    const disk = memoryDisk({ 'a.md': 'old' });
    await disk.stage(p('a.md'), 't', bytes('new'));
    disk.write('a.md', 'edited');
    expect(await rollForward(disk, [write('a.md', 'old', 'new')])).toEqual(['a.md']);
    expect(filesOf(disk)).toEqual({ 'a.md': 'edited' });
  });

  it('reports nothing as kept when it is done again after the folder has moved', async () => {
    const disk = memoryDisk({ 'A/x.md': 'x' });
    const steps: ChangeStep[] = [
      { do: 'move', path: p('A/x.md'), to: p('A/y.md') },
      write('A/new.md', undefined, 'new'),
      { do: 'moveFolder', path: p('A'), to: p('B') },
    ];
    await disk.stage(p('A/new.md'), 't', bytes('new'));
    expect(await rollForward(disk, steps)).toEqual([]);
    expect(await rollForward(disk, steps)).toEqual([]);
    expect(filesOf(disk)).toEqual({ 'B/y.md': 'x', 'B/new.md': 'new' });
  });

  it('finishes the move of a file that is too large to be read', async () => {
    const disk = memoryDisk({ 'film.mp4': 'frames' });
    // What a crash in the middle of a move leaves: one file under both names.
    const half = wrapDisk(disk, (call, run) => {
      if (call.method === 'entry' && call.path === 'new.mp4') return 'file' as never;
      if (call.method === 'stat' && call.path === 'new.mp4')
        return disk.stat(p('film.mp4')) as never;
      expect(call.method).not.toBe('read');
      return run();
    });
    const steps: ChangeStep[] = [{ do: 'move', path: p('film.mp4'), to: p('new.mp4') }];
    expect(await rollForward(half, steps)).toEqual([]);
    expect(await disk.kind(p('film.mp4'))).toBeUndefined();
  });

  it('replaces no file that is not the one that was to be replaced', async () => {
    const disk = memoryDisk({ 'a.md': 'a', 'b.md': 'edited' });
    expect(await rollForward(disk, [moveOver(version('old'))])).toEqual(['a.md']);
    expect(filesOf(disk)).toEqual({ 'a.md': 'a', 'b.md': 'edited' });
  });

  it.each<[string, ChangeStep, Record<string, string>]>([
    ['a move over a file', moveOver(version('b')), { 'b.md': 'a' }],
    ['a move over a file of which nothing is kept', moveOver('unkept'), { 'b.md': 'a' }],
    ['the removal of a name', { do: 'delete', path: p('b.md') }, { 'a.md': 'a' }],
  ])('carries out %s once', async (_, step, files) => {
    const disk = memoryDisk({ 'a.md': 'a', 'b.md': 'b' });
    expect(await rollForward(disk, [step])).toEqual([]);
    expect(await rollForward(disk, [step])).toEqual([]);
    expect(filesOf(disk)).toEqual(files);
  });

  it('leaves a folder that has come to lie where a name was to be removed', async () => {
    const disk = memoryDisk({ 'b.md/x': 'x' });
    expect(await rollForward(disk, [{ do: 'delete', path: p('b.md') }])).toEqual(['b.md']);
    expect(filesOf(disk)).toEqual({ 'b.md/x': 'x' });
  });

  it('keeps a file that has grown over the limit instead of failing for ever', async () => {
    const disk = memoryDisk({ 'a.md': 'old' });
    await disk.stage(p('a.md'), 't', bytes('new'));
    disk.write('a.md', new Uint8Array(limits.historyContentBytesMax + 1));
    expect(await rollForward(disk, [write('a.md', 'old', 'new')])).toEqual(['a.md']);
    expect(disk.paths()).toEqual(['a.md']);
  });
});

describe('taking back', () => {
  const edits = [
    ['a write', write('a.md', 'old', 'new'), { 'a.md': 'new' }],
    ['a new file', write('a.md', undefined, 'new'), { 'a.md': 'new' }],
    ['a delete', { do: 'delete', path: p('a.md'), before: version('old') }, {}],
  ] as const;

  it.each(edits)(
    '%s never replaces what an editor saves at that moment',
    async (_, step, files) => {
      const disk = memoryDisk(files);
      const { state } = (await memoryState()).open();
      const id = await state.begin(change([step]), 'staging', []);
      await state.mark(id, [{ version: version('old'), bytes: bytes('old') }]);
      await state.unmark(id);
      const raced = wrapDisk(disk, (call, run) => {
        if (call.method === 'place' || call.method === 'remove') disk.write('a.md', 'edited');
        return run();
      });
      const ports = { disk: raced, state };
      await expect(rollBack(ports, stored([step], 'undoing'))).rejects.toThrow();
      expect(disk.text('a.md')).toBe('edited');
      // The next one to recover sees that it is someone else's now.
      expect(await recoverChanges({ disk, state })).toMatchObject([{ outcome: 'undone' }]);
      expect(filesOf(disk)).toEqual({ 'a.md': 'edited' });
    },
  );
});

describe('taking back what replaced something', () => {
  const undoing = async (disk: MemoryDisk, step: ChangeStep): Promise<void> => {
    const { state } = (await memoryState()).open();
    const id = await state.begin(change([step]), 'staging', []);
    await state.mark(id, [{ version: version('b'), bytes: bytes('b') }]);
    await state.unmark(id);
    for (const _ of [1, 2]) await rollBack({ disk, state }, stored([step], 'undoing'));
  };
  const both = { 'a.md': 'a', 'b.md': 'b' };

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['brings both files back', { 'b.md': 'a' }, both],
    ['brings the replaced file back where the other is back already', { 'a.md': 'a' }, both],
    ['leaves both where nothing had happened', both, both],
    ['leaves two that are alike', { 'a.md': 'b', 'b.md': 'b' }, { 'a.md': 'b', 'b.md': 'b' }],
    ['brings nothing back where both are gone', {}, {}],
  ])('%s', async (_, found, expected) => {
    const disk = memoryDisk(found);
    await undoing(disk, moveOver(version('b')));
    expect(filesOf(disk)).toEqual(expected);
  });

  it('moves a file back of whose goal nothing was kept', async () => {
    const disk = memoryDisk({ 'b.md': 'a' });
    await undoing(disk, moveOver('unkept'));
    expect(filesOf(disk)).toEqual({ 'a.md': 'a' });
  });

  it('makes the empty folder again that another had replaced', async () => {
    const disk = memoryDisk({ 'G/x.md': 'x' });
    await undoing(disk, { do: 'moveFolder', path: p('F'), to: p('G'), over: true });
    expect([disk.paths(), disk.folders()]).toEqual([['F/x.md'], ['F', 'G']]);
  });
});

describe('a change of one step whose process died', () => {
  const step: ChangeStep = { do: 'delete', path: p('a.md'), before: version('old') };
  const settled = async (disk: MemoryDisk, single: StoredChange): Promise<boolean> =>
    (await settleSingle({ disk, state: (await memoryState()).open().state }, single)).happened;

  it.each<[string, Record<string, string>, boolean]>([
    ['is gone', {}, true],
    ['is there as it was', { 'a.md': 'old' }, false],
    ['was made anew since: history has the only copy', { 'a.md': 'another' }, true],
  ])('has deleted a file that %s', async (_, files, happened) => {
    expect(await settled(memoryDisk(files), stored([step], 'single'))).toBe(happened);
  });

  const [made, deep, gone] = [
    { do: 'makeFolder', path: p('N'), asked: true },
    { do: 'makeFolder', path: p('N/d'), asked: true },
    { do: 'dropFolder', path: p('N'), asked: true },
  ] as const satisfies ChangeStep[];

  it.each<[string, readonly ChangeStep[], string[], boolean, string[]]>([
    ['made a folder that is there', [made], ['N'], true, ['N']],
    ['made no folder', [made], [], false, []],
    ['not made all folders', [made, deep], ['N'], false, []],
    ['removed a folder', [gone], [], true, []],
    ['not removed a folder that is there', [gone], ['N'], false, ['N']],
  ])('has %s', async (_, steps, found, happened, left) => {
    const disk = memoryDisk();
    for (const folder of found) await disk.makeFolder(p(folder));
    expect(await settled(disk, stored(steps, 'single'))).toBe(happened);
    expect(disk.folders()).toEqual(left);
  });

  it('has replaced a file as soon as the one that moved is gone', async () => {
    const single = stored([moveOver(version('b'))], 'single');
    expect(await settled(memoryDisk({ 'b.md': 'a' }), single)).toBe(true);
    expect(await settled(memoryDisk({ 'a.md': 'a', 'b.md': 'b' }), single)).toBe(false);
  });
});
