import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import type { SyncResult, VaultSync } from '../../ports/vault-sync.ts';
import { appendNote } from '../write/append-note.ts';
import { syncVault } from './sync-vault.ts';

const result: SyncResult = { direction: 'pull', transferred: 1, deleted: 0, bytes: 3 };
const failure = new VaultError('unavailable', 'It failed.', { excerpt: 'secret/x.md: no' });

/** A vault whose synchronisation does this to its disk. */
async function open(run: (disk: ReturnType<typeof memoryDisk>) => Promise<void> | void) {
  const disk = memoryDisk({ 'a.md': 'a' });
  const sync: VaultSync = {
    direction: 'pull',
    run: async ({ alone }) => {
      await alone(async () => run(disk));
      return result;
    },
  };
  return { ...(await openWrittenVault(disk, { parts: { sync } })), disk };
}

describe('syncVault', () => {
  it('answers when the index knows what came and what went', async () => {
    const opened = await open((disk) => {
      disk.write('sub/New.md', 'new');
      disk.erase('a.md');
    });
    expect(await syncVault(opened.vault)).toEqual(result);
    expect(await findNote(opened.vault, 'new')).toBe('sub/New.md');
    expect(await opened.indexFaults()).toEqual([]);
  });

  it('has changes wait, so that each is made on what it brought', async () => {
    const opened = await open(async (disk) => {
      appending = opened.change(appendNote, { name: 'a', text: 'appended' });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(disk.text('a.md')).toBe('a');
      disk.write('a.md', 'brought\n');
    });
    let appending: Promise<unknown> = Promise.resolve();
    await syncVault(opened.vault);
    await appending;
    expect(opened.text('a.md')).toBe('brought\nappended\n');
  });

  it('fails as it failed, and indexes what came before', async () => {
    const opened = await open((disk) => {
      disk.write('New.md', 'new');
      throw failure;
    });
    expect(await failureOf(syncVault(opened.vault))).toBe(failure);
    expect(await findNote(opened.vault, 'new')).toBe('New.md');
  });

  it('tells nothing of hidden notes to those they are hidden from', async () => {
    const opened = await open(() => {
      throw failure;
    });
    const caller = opened.as({ scopes: { ...allScopes, hide: ['secret/**'] } });
    const { message, excerpt } = await failureOf(syncVault(caller));
    expect([message, excerpt]).toEqual([
      expect.stringMatching(/^It failed\. .*left out/),
      undefined,
    ]);
  });

  it('is forbidden to those who see folders only, before it begins', async () => {
    const opened = await open((disk) => disk.erase('a.md'));
    const caller = opened.as({ scopes: { ...allScopes, folders: [vaultPath('sub')] } });
    expect(await failureOf(syncVault(caller))).toMatchObject({ code: 'forbidden' });
    expect(opened.text('a.md')).toBe('a');
  });

  it('does not begin while the vault is away, nor place anything when it has gone meanwhile', async () => {
    const away = await open(() => expect.unreachable('It ran.'));
    away.disk.unmount();
    expect(await failureOf(syncVault(away.vault))).toMatchObject({ code: 'vault_not_found' });
    const disk = memoryDisk({ 'a.md': 'a' });
    const sync: VaultSync = {
      direction: 'pull',
      run: async ({ alone }) => {
        disk.unmount();
        await alone(async () => expect.unreachable('It was placed.'));
        return result;
      },
    };
    const going = await openWrittenVault(disk, { parts: { sync } });
    expect(await failureOf(syncVault(going.vault))).toMatchObject({ code: 'vault_not_found' });
  });

  it('changes nothing when it was called off while it waited for its turn', async () => {
    const opened = await open(() => expect.unreachable('It ran.'));
    const controller = new AbortController();
    const appending = opened.change(appendNote, { name: 'a', text: 'first' });
    const syncing = failureOf(syncVault(opened.as({ signal: controller.signal })));
    controller.abort();
    expect(await syncing).toMatchObject({ code: 'cancelled' });
    await appending;
  });

  it('says how to set it up where it is not', async () => {
    const { vault } = await openWrittenVault({});
    const { code, message } = await failureOf(syncVault(vault));
    expect([code, message]).toEqual(['unavailable', expect.stringContaining('--sync')]);
  });
});
