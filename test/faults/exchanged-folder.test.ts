import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { type VaultPath, vaultPath } from '../../src/base/vault-path.ts';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { clearPulled, placePulled } from '../../src/node/programs/rclone/place-pulled.ts';
import { openRawDisk } from '../../src/node/raw/raw-disk.ts';
import type { ScanSource } from '../../src/node/scan/scan-files.ts';
import { openScanSource } from '../../src/node/scan/scan-source.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { fsToolset } from '../../src/tools/fs/fs-toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import { counted } from '../support/counts.ts';
import { FolderExchange } from '../support/exchange-folder.ts';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';
import { openWrittenFolder, testCaller } from '../support/written-vault.ts';

// Another process exchanges a folder of the vault with a symlink to a folder outside, without a
// pause. No call may answer anything that lies outside, or change anything there.

const names = ['a.md', 'b.md', 'c.md', 'd.md'];
const secret = 'hemlock';
const bytesMax = 1_000;

/** A vault whose folder `f` is exchanged, and the folder outside that the symlink leads to. */
async function startExchange() {
  const files: Record<string, string> = { 'vault/top.md': '[[a]] [[b]]\n' };
  for (const name of [...names, 'sub/s.md']) {
    files[`vault/f/${name}`] = 'inside\n';
    files[`outside/${name}`] = `${secret} inside\n`;
  }
  files[`outside/${secret}.md`] = secret;
  const base = tempFolder(files);
  mkdirSync(join(base, 'aside'));
  symlinkSync(join(base, 'outside'), join(base, 'aside/link'));
  const outside = join(base, 'outside');
  const vault = join(base, 'vault');
  return { vault, outside, begin: () => exchange(vault, base) };
}

function exchange(vault: string, base: string): Promise<FolderExchange> {
  return FolderExchange.start(join(vault, 'f'), join(base, 'aside/link'), onTestFinished);
}

/** Every name in a folder with everything that a change would change, and the bytes of files. */
function treeOf(folder: string): readonly string[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return ['', ...found].map((name) => {
    const { ino, mode, uid, size, mtimeNs, ctimeNs } = lstatSync(join(folder, name), {
      bigint: true,
    });
    const isFile = lstatSync(join(folder, name)).isFile();
    const text = isFile ? readFileSync(join(folder, name), 'utf8') : '';
    return [name, ino, mode, uid, size, mtimeNs, ctimeNs, text].join(' ');
  });
}

/** Counts how calls end: `ok`, or the code of the failure. */
class Endings {
  readonly counts: Record<string, number> = {};
  readonly leaks: string[] = [];

  /** Makes a call; an answer that has something from outside is a leak. */
  async of(what: string, call: () => unknown): Promise<void> {
    try {
      const answer = await call();
      const text = JSON.stringify(answer, (_, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      );
      this.#count(`${what} ok`);
      if (isFromOutside(text)) this.leaks.push(`${what}: ${text}`);
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      this.#count(`${what} ${error.code}`);
    }
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

/** The text of a file as a scanner peeks at it. */
function peekAt(source: ScanSource, path: VaultPath): string | undefined {
  const peeked = source.peek();
  try {
    return peeked.read(path)?.toString();
  } finally {
    peeked.close();
  }
}

function isFromOutside(text: string | undefined): boolean {
  if (text === undefined) return false;
  return text.includes(secret) || text.includes(Buffer.from(secret).toString('base64').slice(0, 8));
}

test('disks and scanners neither read nor change anything outside', async () => {
  const { vault, outside, begin } = await startExchange();
  const before = treeOf(outside);
  const disk = openNodeDisk(vault);
  const slow = openNodeDisk(vault, { sync: false });
  const check = async (): Promise<void> => undefined;
  const raw = openRawDisk(vault, { check });
  const source = openScanSource(vault);
  const endings = new Endings();
  const attack = await begin();
  const rounds = counted({ quick: 50, full: 600, soak: 100_000 });
  for (let round = 0; round < rounds; round++) {
    const path = vaultPath(`f/${names[round % names.length]}`);
    const other = vaultPath(`f/${names[(round + 1) % names.length]}`);
    const sub = vaultPath('f/sub');
    const token = `t${round}`;
    for (const each of [disk, slow]) {
      await endings.of('read', () => each.read(path, { bytesMax }));
      await endings.of('list', () => each.list(vaultPath('f')));
      await endings.of('end', () => each.readEnd(path, { from: 0, bytesMax }));
      await endings.of('append', async () => {
        const seen = await each.readEnd(path, { from: 0, bytesMax: 0 });
        if (seen === undefined) return;
        await each.append(path, Buffer.from('+'), seen);
        await each.cut(path, seen.size, { ...seen, size: seen.size + 1 });
      });
      await endings.of('stage', () =>
        each.stage(path, token, Buffer.from(`${round}\n`), { sync: round % 2 === 1 }),
      );
      await endings.of('sync', () => each.syncStaged(path, token));
      await endings.of('place', () => each.place(path, token, { replace: true }));
      await endings.of('unstage', () => each.unstage(path, token));
      await endings.of('move', () => each.move(path, other, { over: true }));
      await endings.of('remove', () => each.remove(other));
      await endings.of('removeEntry', () => each.removeEntry(other));
      await endings.of('removeFolder', () => each.removeFolder(sub));
      await endings.of('makeFolder', () => each.makeFolder(vaultPath(`f/new ${round % 3}`)));
      await endings.of('move in', () => each.move(vaultPath('top.md'), vaultPath('f/top.md')));
      await endings.of('move out', () => each.move(vaultPath('f/top.md'), vaultPath('top.md')));
    }
    await endings.of('raw read', () => raw.read(path, { bytesMax }));
    await endings.of('raw range', () => raw.readRange(path, { offset: 0, length: bytesMax }));
    await endings.of('raw list', () => raw.list(vaultPath('f')));
    await endings.of('raw walk', () => raw.walk('', { recursive: true, entriesMax: 100 }));
    for (const name of names) {
      await endings.of('scan', () => source.read(vaultPath(`f/${name}`), { bytesMax }));
      await endings.of('peek', () => peekAt(source, vaultPath(`f/${name}`)));
    }
    await endings.of('walk', () => [...source.walk('')]);
  }
  await attack.stop();
  expect(endings.leaks).toEqual([]);
  expect(treeOf(outside)).toEqual(before);
  // Both sides of the exchange were met: calls in the folder, and calls that were refused.
  expect(endings.counts).toMatchObject({
    'read outside_vault': expect.any(Number),
    'stage ok': expect.any(Number),
    'stage outside_vault': expect.any(Number),
    'place ok': expect.any(Number),
    'append ok': expect.any(Number),
    'append outside_vault': expect.any(Number),
    'raw read outside_vault': expect.any(Number),
    'scan outside_vault': expect.any(Number),
  });
});

test('a sync neither copies nor replaces anything outside', async () => {
  const { vault, outside, begin } = await startExchange();
  const before = treeOf(outside);
  const state = tempFolder();
  const folders = {
    root: vault,
    incoming: join(state, 'incoming'),
    replaced: join(state, 'replaced'),
  };
  const signal = new AbortController().signal;
  const endings = new Endings();
  const attack = await begin();
  const rounds = counted({ quick: 60, full: 600, soak: 20_000 });
  for (let round = 0; round < rounds; round++) {
    // In turns longer than what is there, so that it is placed, and as long, so that it is compared.
    const text = round % 2 === 0 ? `${round} pulled\n` : 'inside\n';
    const pulled = [...names, 'sub/s.md'].map((name) => [`incoming/f/${name}`, text]);
    writeFiles(state, Object.fromEntries(pulled));
    await endings.of('place', () => placePulled(folders, signal));
    await endings.of('clear', () => clearPulled(folders));
  }
  await attack.stop();
  expect(treeOf(outside)).toEqual(before);
  expect(treeOf(folders.replaced).filter(isFromOutside)).toEqual([]);
  expect(endings.counts).toMatchObject({ 'place ok': expect.any(Number) });
});

test('tools neither show nor change anything outside', async () => {
  const { vault, outside, begin } = await startExchange();
  const before = treeOf(outside);
  const disk = openNodeDisk(vault);
  const files = openRawDisk(vault, { check: () => disk.check() });
  const opened = await openWrittenFolder(vault, { parts: { disk, files } });
  onTestFinished(() => opened.close());
  const notes = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
  const toolsets = [fsToolset({ thumbnails: false, search: false }), notes];
  const service = createService(opened.whole, toolsets, nodeTimers);
  const endings = new Endings();
  const call = (name: string, args: object): Promise<void> =>
    endings.of(name, async () => {
      const caller = testCaller({ door: 'remote', connection: 'r1', indexWaitMs: 200 });
      const outcome = await service.call(name, args, caller);
      if (!outcome.ok) throw outcome.error;
      return [outcome.value, outcome.content];
    });
  const attack = await begin();
  const rounds = counted({ quick: 8, full: 150, soak: 10_000 });
  for (let round = 0; round < rounds; round++) {
    const name = names[round % names.length] ?? '';
    const path = `f/${name}`;
    const content = `round ${round}\n`;
    await call('fs.readText', { path });
    await call('fs.readBinary', { path });
    await call('fs.stat', { path: `f/${secret}.md` });
    await call('fs.list', { path: 'f' });
    await call('fs.walk', { path: '', recursive: true });
    await call('fs.write', { path, content });
    await call('fs.append', { path, content });
    await call('fs.copy', { srcPath: path, destPath: `copies/${name}` });
    await call('fs.readText', { path: `copies/${name}` });
    await call('fs.rename', { oldPath: path, newPath: `f/renamed ${name}` });
    await call('fs.rename', { oldPath: `f/renamed ${name}`, newPath: path });
    await call('fs.trashLocal', { path });
    await call('fs.mkdir', { path: `f/made ${round % 2}` });
    await call('fs.rmdir', { path: 'f/sub', recursive: true });
    await call('fs.write', { path: 'f/sub/s.md', content });
    await call('fs.remove', { path: `f/${names[(round + 2) % names.length]}` });
    await call('create_note', { name: path.slice(0, -3), content });
    await call('read_note', { name: path });
    await call('append_note', { name: path, text: content });
    await call('search_notes', { query: 'inside' });
    await call('search_notes', { query: 'round' });
    await call('rename_note', { old_name: path, new_name: `f/again ${name}` });
    await call('delete_note', { name: `f/again ${name}` });
  }
  await attack.stop();
  expect(endings.leaks).toEqual([]);
  expect(treeOf(outside)).toEqual(before);
  expect(Object.keys(endings.counts).filter((what) => what.endsWith(' outside_vault'))).not.toEqual(
    [],
  );
});
