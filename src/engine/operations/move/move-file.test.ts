import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenFolder, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import type { Operation } from '../../vault/draft.ts';
import { moveFile } from './move-file.ts';
import { moveFolder } from './move-folder.ts';
import { renameFile } from './rename-file.ts';

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

async function vaultWith(files: Readonly<Record<string, string>>): Promise<MemoryVault> {
  opened = await openWrittenVault(files);
  return opened;
}

describe('a folder', () => {
  it('R14: is renamed with all links into it, out of it and inside it', async () => {
    const vault = await vaultWith({
      'A/n.md': '[[../Root]] [[./m]] [x](s/T.md) [[A/s/T]]',
      'A/m.md': '[[T]]',
      'A/s/T.md': '[[A/n]] ![[A/pic.png]]',
      'A/pic.png': 'p',
      'Root.md': '[[A/n]] [[n]] [y](A/s/T.md#h) [[B/x]]',
      'AB/n2.md': '[[A/m|m]]',
    });
    const moved = await vault.change(renameFile, { name: 'A', newName: 'B C' });
    expect(moved).toMatchObject({ from: 'A', path: 'B C', moved: 4, links: 8, notes: 4 });
    expect(vault.files()).toEqual({
      'B C/n.md': '[[../Root]] [[m]] [x](T.md) [[T]]',
      'B C/m.md': '[[T]]',
      'B C/s/T.md': '[[n]] ![[pic.png]]',
      'B C/pic.png': 'p',
      'Root.md': '[[n]] [[n]] [y](T.md#h) [[B/x]]',
      'AB/n2.md': '[[m|m]]',
    });
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('moves into another one when the path ends with "/"', async () => {
    const vault = await vaultWith({ 'A/n.md': '[[../r]]', 'r.md': '[[A/n]]', 'B/x.md': '' });
    await vault.change(moveFolder, { folder: 'A', to: 'b/' });
    expect(vault.files()).toEqual({
      'B/A/n.md': '[[r]]',
      'r.md': '[[n]]',
      'B/x.md': '',
    });
  });

  it.each([
    ['A', 'B', 'already_exists'],
    ['A', 'b', 'already_exists'],
    ['A', 'A/x', 'invalid_input'],
    ['A', 'x:y', 'invalid_input'],
    ['A', '../x', 'outside_vault'],
    ['gone', 'x', 'not_found'],
    ['r.md', 'x', 'not_a_folder'],
  ])('"%s" does not move to "%s": %s', async (folder, to, code) => {
    const vault = await vaultWith({ 'A/n.md': '', 'B/x.md': '', 'r.md': '' });
    await expect(vault.change(moveFolder, { folder, to })).rejects.toMatchObject({ code });
  });

  it('changes only its case', async () => {
    const vault = await vaultWith({ 'notes/n.md': '', 'r.md': '[[notes/n]]' });
    await vault.change(renameFile, { name: 'notes', newName: 'Notes' });
    expect(vault.files()).toEqual({ 'Notes/n.md': '', 'r.md': '[[n]]' });
  });
});

describe('moving', () => {
  it.each([
    ['B', 'B/n.md'],
    ['b', 'B/n.md'],
    ['B/', 'B/n.md'],
    ['new/deep/', 'new/deep/n.md'],
    ['b/m', 'B/m.md'],
    ['m.md', 'm.md'],
    ['v1.2', 'v1.2.md'],
    ['/', 'n.md'],
  ])('to "%s" makes it "%s"', async (to, path) => {
    const vault = await vaultWith({ 'A/n.md': 'text', 'B/x.md': '' });
    expect(await vault.change(moveFile, { name: 'n', to })).toMatchObject({ from: 'A/n.md', path });
    expect(vault.text(path)).toBe('text');
  });

  it.each([
    ['B/x', 'already_exists', undefined],
    ['b/X', 'already_exists', undefined],
    ['a:b', 'invalid_input', 'a-b.md'],
    ['B/what?', 'invalid_input', 'B/what.md'],
    ['.hidden/n', 'invalid_input', 'hidden/n.md'],
    ['../n', 'outside_vault', undefined],
  ])('to "%s" is refused with %s', async (to, code, replacement) => {
    const vault = await vaultWith({ 'A/n.md': 'text', 'B/x.md': '' });
    const failure = vault.change(moveFile, { name: 'n', to });
    await expect(failure).rejects.toMatchObject({
      code,
      ...(replacement === undefined ? {} : { details: { replacement } }),
    });
    expect(vault.text('A/n.md')).toBe('text');
  });

  it('an odd name stays when only the folder changes', async () => {
    const vault = await vaultWith({ 'What?.md': '', 'n.md': '[[What?]]', 'B/x.md': '' });
    await vault.change(moveFile, { name: 'What?', to: 'B' });
    expect(vault.files()).toMatchObject({ 'B/What?.md': '', 'n.md': '[[What?]]' });
  });

  it('to where it is changes nothing', async () => {
    const vault = await vaultWith({ 'n.md': '[[n]]' });
    const answer = await vault.change(moveFile, { name: 'n', to: 'n.md' });
    expect(answer).toMatchObject({ path: 'n.md', links: 0, notes: 0, files: [] });
    expect(answer.change).toBeUndefined();
  });

  it('R24: leaves links alone when asked to', async () => {
    const vault = await vaultWith({ 'Old.md': '[[./x]]', 'x.md': '', 'n.md': '[[Old]]' });
    await vault.change(moveFile, { name: 'Old', to: 'A/New', links: 'keep' });
    expect(vault.files()).toEqual({ 'A/New.md': '[[./x]]', 'x.md': '', 'n.md': '[[Old]]' });
  });

  it('R23: what moved outside is a file that went and one that came; no link is touched', async () => {
    const vault = await vaultWith({ 'Old.md': '', 'n.md': '[[Old]]' });
    vault.disk.rename('Old.md', 'New.md');
    await vault.keeper.settle();
    expect(vault.text('n.md')).toBe('[[Old]]');
  });

  it('previews everything and touches nothing', async () => {
    const files = { 'Old.md': 'text\n', 'n.md': '[[Old]]\n' };
    const vault = await vaultWith(files);
    const answer = await vault.change(renameFile, { name: 'Old', newName: 'New', dryRun: true });
    expect(answer).toMatchObject({ dryRun: true, links: 1, notes: 1 });
    expect(answer.diff).toContain('rename to New.md');
    expect(answer.diff).toContain('+[[New]]');
    expect(vault.files()).toEqual(files);
  });

  it('refuses while a note cannot be read, and goes on with a warning when forced', async () => {
    const disk = memoryDisk({ 'Old.md': '', 'n.md': '[[Old]]' });
    disk.write('cloud.md', '', { present: false });
    const vault = await openWrittenVault(disk);
    opened = vault;
    const request = { name: 'Old', newName: 'New' };
    await expect(vault.change(renameFile, request)).rejects.toMatchObject({
      code: 'unavailable',
      details: { count: 1, unread: [{ path: 'cloud.md', reason: 'not downloaded' }] },
    });
    expect(vault.text('n.md')).toBe('[[Old]]');
    const forced = await vault.change(renameFile, { ...request, force: true });
    expect(forced.warnings).toEqual([expect.stringContaining('1 file of the vault')]);
    expect(vault.text('n.md')).toBe('[[New]]');
  });

  it.skipIf(process.platform === 'win32')(
    'refuses while a folder cannot be read: it may hold any number of links',
    async () => {
      opened = undefined;
      const folder = tempFolder({ 'Old.md': '', 'closed/n.md': '[[Old]]' });
      chmodSync(folder, 0o755);
      chmodSync(join(folder, 'closed'), 0o000);
      const isRoot = process.geteuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534); // Root may read everything.
      try {
        const vault = await openWrittenFolder(folder);
        const request = { name: 'Old', newName: 'New' };
        await expect(vault.change(renameFile, request)).rejects.toMatchObject({
          code: 'unavailable',
          details: { unread: [{ path: 'closed', reason: 'may not be read' }] },
        });
        await vault.close();
      } finally {
        if (isRoot) process.seteuid?.(0);
        chmodSync(join(folder, 'closed'), 0o755);
      }
      expect(readFileSync(join(folder, 'closed/n.md'), 'utf8')).toBe('[[Old]]');
    },
  );

  it('a referrer that is no UTF-8 counts as one that cannot be read', async () => {
    opened = await openWrittenVault({
      'Old.md': '',
      'n.md': '[[Old]]',
      'latin.md': new Uint8Array([0x5b, 0x5b, 0x4f, 0x6c, 0x64, 0x5d, 0x5d, 0xe9]),
    });
    const request = { name: 'Old', newName: 'New' };
    await expect(opened.change(renameFile, request)).rejects.toMatchObject({
      code: 'unavailable',
      details: { unread: [{ path: 'latin.md', reason: 'not UTF-8 text' }] },
    });
    await opened.change(renameFile, { ...request, force: true });
    expect(opened.text('n.md')).toBe('[[New]]');
  });

  it('a note that the caller may not see is not changed: the rename is refused', async () => {
    const files = { 'Old.md': '', 'Secret/n.md': '[[Old]]' };
    const vault = await vaultWith(files);
    const caller = vault.as({ scopes: { ...allScopes, hide: ['Secret'] } });
    const failure = caller.change(renameFile, { name: 'Old', newName: 'New' });
    await expect(failure).rejects.toMatchObject({ code: 'forbidden' });
    expect(vault.files()).toEqual(files);
  });

  it('in a vault inside another one warns of links that are not seen', async () => {
    opened = await openWrittenVault({ 'Old.md': '' }, { parts: { outerVault: true } });
    const answer = await opened.change(renameFile, { name: 'Old', newName: 'New' });
    expect(answer.warnings).toEqual([expect.stringContaining('inside another vault')]);
  });

  it('reads no more than the files that name what moves', async () => {
    const others = Array.from({ length: 200 }, (_, n) => [`n${n}.md`, `[[n${n + 1}]]`] as const);
    const vault = await vaultWith({
      ...Object.fromEntries(others),
      'Old.md': '',
      'm.md': '[[Old]]',
    });
    vault.disk.resetCalls();
    await vault.change(renameFile, { name: 'Old', newName: 'New' });
    expect(vault.disk.calls.read).toBeLessThan(10);
    expect(vault.disk.calls.scanned).toBeLessThan(10);
    expect(vault.disk.calls.walk).toBe(0);
  });

  it('several times in one change keeps every link: two notes trade names', async () => {
    const vault = await vaultWith({
      'A.md': 'a [[B]]',
      'B.md': 'b [[A]]',
      'n.md': '[[A]] [[B|B]]',
    });
    const trade: Operation<object, object> = async (draft) => {
      await renameFile(draft, { name: 'A', newName: 'x/C' });
      await renameFile(draft, { name: 'B', newName: 'A' });
      await renameFile(draft, { name: 'x/C', newName: 'B.md' });
      return moveFile(draft, { name: 'x/B', to: '/' });
    };
    await vault.change(trade, {});
    expect(vault.files()).toEqual({
      'B.md': 'a [[A]]',
      'A.md': 'b [[B]]',
      'n.md': '[[B]] [[A|A]]',
    });
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('into a folder that no link can name is refused where a link would need it', async () => {
    const files = { 'a#b/x.md': '', 'Old.md': '', 'A/Old.md': '', 'n.md': '[[Old]] [[A/Old]]' };
    const vault = await vaultWith(files);
    const failure = vault.change(moveFile, { name: 'Old.md', to: 'a#b' });
    await expect(failure).rejects.toMatchObject({ code: 'invalid_input' });
    expect(vault.files()).toEqual(files);
  });
});
