import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Caller } from '../../src/base/caller.ts';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { openRawDisk } from '../../src/node/raw/raw-disk.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { fsToolset } from '../../src/tools/fs/fs-toolset.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import type { VaultOptions } from './indexed-vault.ts';
import { tempFolder, writeFiles } from './temp-folder.ts';
import { openWrittenFolder, testCaller, type WrittenVault } from './written-vault.ts';

/** The time of every file, in milliseconds. */
export const fileMtime = 1_600_000_000_500;

const secret = 'outside the vault';
const files = {
  'Notes/a.md': 'alpha\n',
  'Notes/deep/b.md': '# Beta\nbanana\n',
  '.obsidian/app.json': '{}',
  '.trash/old.md': 'old',
  '.trash/Old/x.md': 'x',
  'bom.md': '\ufeffx',
  'zero.md': '',
  'old.md': 'new',
  'Old/y.md': 'y',
};
const links = {
  'link.md': 'Notes/a.md',
  linked: 'Notes',
  dangling: 'nowhere',
  'out.md': '../outside/secret.md',
  outdir: '../outside',
};

/** A vault of files, folders and symlinks on a real disk, behind the fs toolset. */
export interface FsVault extends WrittenVault {
  readonly root: string;
  readonly service: Service;
  /** The value of a method, or the code of its failure after a `!`. */
  call(method: string, params?: object, caller?: Partial<Caller>): Promise<unknown>;
  /** Every name in the vault: the text of a file, where a symlink leads, `/` for a folder. */
  tree(): Readonly<Record<string, string>>;
}

/** Opens one; no message may tell what lies outside, and each value is as its schema says. */
export async function openFsVault(
  options: VaultOptions & { readonly onFinished?: (end: () => void) => void } = {},
): Promise<FsVault> {
  const around = tempFolder({ 'outside/secret.md': secret }, options.onFinished);
  const root = join(around, 'vault');
  makeVault(root);
  const disk = openNodeDisk(root);
  const raw = openRawDisk(root, { check: () => disk.check() });
  const opened = await openWrittenFolder(root, {
    ...options,
    parts: { disk, files: raw, ...options.parts },
  });
  const toolset = fsToolset({ thumbnails: true, search: true });
  const service = createService(opened.whole, [toolset], nodeTimers);
  return {
    ...opened,
    root,
    service,
    tree: () => treeOf(root),
    async call(method, params = {}, caller = {}) {
      const remote = { door: 'remote', connection: 'r1', ...caller } as const;
      const outcome = await service.call(method, params, testCaller(remote));
      if (!outcome.ok) {
        const { code, message } = outcome.error;
        expect(message, method).not.toContain(around);
        expect(message, method).toMatch(/^[A-Z"].*\.$/s);
        return `!${code}`;
      }
      const tool = toolset.tools.find(({ name }) => name === method);
      expect(tool?.output.parse(outcome.value), method).toEqual(outcome.value);
      return outcome.value;
    },
  };
}

function makeVault(root: string): void {
  writeFiles(root, files);
  writeFileSync(join(root, 'bytes.bin'), Uint8Array.of(0xff, 0, 1, 2));
  mkdirSync(join(root, 'empty'));
  mkdirSync(join(root, 'none'));
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(root, name));
  for (const path of [...Object.keys(files), 'bytes.bin']) {
    utimesSync(join(root, path), fileMtime / 1000, fileMtime / 1000);
  }
}

function treeOf(root: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name);
      if (entry.isSymbolicLink()) tree[name] = `-> ${readlinkSync(join(root, name))}`;
      else if (entry.isDirectory()) tree[name] = '/';
      else tree[name] = readFileSync(join(root, name), 'latin1');
      if (entry.isDirectory()) walk(name);
    }
  };
  walk('');
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Runs with such a vault, and closes it. */
export async function withFsVault(run: (vault: FsVault) => Promise<void>): Promise<void> {
  const vault = await openFsVault();
  try {
    await run(vault);
  } finally {
    await vault.close();
  }
}

/** Its last changes. */
export async function fsHistory({ whole }: FsVault) {
  const { items } = await whole.parts.state.changes({}, { limit: 10, offset: 0 });
  return items;
}
