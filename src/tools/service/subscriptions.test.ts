import { describe, expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { renameFile } from '../../engine/operations/move/rename-file.ts';
import { appendNote } from '../../engine/operations/write/append-note.ts';
import { createService } from './service.ts';

async function subscribed(...paths: readonly string[]) {
  const vault = await openWrittenVault({ 'a.md': 'a', 'b.md': 'b', 'F/c.md': 'c' });
  const service = createService(vault.whole, [], manualTimers());
  const told: string[] = [];
  const caller = testCaller({ connection: 'x' });
  const ends: (() => void)[] = [];
  for (const path of paths) {
    ends.push(await service.subscribe(path, caller, () => told.push(path)));
  }
  /** What was told, once everything that the index looked at has been compared. */
  const news = async (): Promise<string[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    return told.splice(0);
  };
  return { ...vault, service, caller, ends, news };
}

describe('a subscriber', () => {
  it('is told of a change by this program', async () => {
    const { change, news } = await subscribed('a.md', 'b.md');
    await change(appendNote, { name: 'a.md', text: 'more' });
    expect(await news()).toEqual(['a.md']);
    await change(renameFile, { name: 'b.md', newName: 'd' });
    expect(await news()).toEqual(['b.md']);
  });

  it.each<[string, 'refresh' | 'reconcile']>([
    ['that the watcher reports', 'refresh'],
    ['that only a walk finds', 'reconcile'],
  ])('is told of a change from outside %s', async (_, how) => {
    const { disk, keeper, news } = await subscribed('a.md', 'b.md');
    disk.write('a.md', 'edited');
    await (how === 'refresh' ? keeper.refresh([vaultPath('a.md')]) : keeper.reconcile());
    expect(await news()).toEqual(['a.md']);
    await keeper.reconcile();
    expect(await news()).toEqual([]);
  });

  it('is told when its file appears and when it is gone, with its folder too', async () => {
    const { disk, keeper, news } = await subscribed('new.md', 'F/c.md');
    disk.write('new.md', '');
    await keeper.refresh([vaultPath('new.md')]);
    expect(await news()).toEqual(['new.md']);
    disk.erase('F');
    await keeper.refresh([vaultPath('F')]);
    expect(await news()).toEqual(['F/c.md']);
  });

  it('is told once for each subscription, and not after it has ended', async () => {
    const { change, news, ends, service } = await subscribed('a.md', 'a.md');
    await change(appendNote, { name: 'a.md', text: '1' });
    expect(await news()).toEqual(['a.md', 'a.md']);
    ends[0]?.();
    ends[0]?.();
    await change(appendNote, { name: 'a.md', text: '2' });
    expect(await news()).toEqual(['a.md']);
    service.disconnected('x');
    await change(appendNote, { name: 'a.md', text: '3' });
    expect(await news()).toEqual([]);
  });

  it('costs a look at its own file only', async () => {
    const { disk, keeper } = await subscribed('a.md');
    disk.write('b.md', 'edited');
    disk.resetCalls();
    await keeper.refresh([vaultPath('b.md')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(disk.calls).toMatchObject({ read: 1, stat: 0, kind: 0 }); // The index's own read of b.md.
  });

  it.each([
    ['a dot folder', '.obsidian/app.json', 'not_found'],
    ['what is hidden', 'F/c.md', 'not_found'],
    ['what lies outside', '../a.md', 'outside_vault'],
  ])('cannot be one of %s', async (_, path, code) => {
    const { service } = await subscribed();
    const scopes = { ...allScopes, hide: ['F/**'] };
    const subscribing = service.subscribe(path, testCaller({ scopes }), () => undefined);
    await expect(subscribing).rejects.toMatchObject({ code });
  });

  it('has a limit, which others do not share', async () => {
    const { service, caller, ends } = await subscribed(
      ...Array.from({ length: limits.subscriptionsMax }, () => 'a.md'),
    );
    const more = () => service.subscribe('a.md', caller, () => undefined);
    await expect(more()).rejects.toMatchObject({ code: 'too_large' });
    await service.subscribe('a.md', testCaller({ connection: 'y' }), () => undefined);
    ends[0]?.();
    await more();
  });
});
