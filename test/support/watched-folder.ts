import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Watcher, WatchReport } from '../../src/engine/ports/ports.ts';
import type { FileEvent, RawDisk } from '../../src/engine/ports/raw-disk.ts';
import { SharedWatcher } from '../../src/engine/watch/shared-watcher.ts';
import { TreeWatch } from '../../src/engine/watch/tree-watch.ts';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { openRawDisk } from '../../src/node/raw/raw-disk.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { type VaultWatch, watchVault } from '../../src/node/watch/watch-vault.ts';
import { tempFolder, writeFiles } from './temp-folder.ts';

/** The watcher of a folder on this thread. */
export function localWatcher(root: string): Watcher {
  let watch: VaultWatch | undefined;
  return {
    start: async (listener) => {
      watch = watchVault({ root, poll: false }, listener);
    },
    flush: async () => watch?.flush(),
    close: async () => watch?.close(),
  };
}

export function rawDiskOf(root: string) {
  const disk = openNodeDisk(root);
  return openRawDisk(root, { check: () => disk.check() });
}

/** Everything in a folder and below. */
export const wholeTree: Parameters<TreeWatch['watch']>[0] = { path: '', recursive: true };

/** Watches a folder until the test ends; `told` is what was told of all that was done so far. */
export async function watchFolder(
  root: string,
  watched: Parameters<TreeWatch['watch']>[0] = wholeTree,
) {
  const watcher = new SharedWatcher(localWatcher(root));
  onTestFinished(() => watcher.close());
  const tree = new TreeWatch({ files: rawDiskOf(root), watcher, timers: nodeTimers });
  const lists: (readonly FileEvent[])[] = [];
  const end = await tree.watch(watched, (events) => lists.push(events));
  return {
    tree,
    end,
    close: () => watcher.close(),
    async told(): Promise<readonly FileEvent[]> {
      await watcher.flush();
      await settled(tree);
      return inOrder(lists.splice(0));
    },
  };
}

/** Resolves when all that the tree has heard is told: whoever comes to watch waits for that. */
export async function settled(tree: TreeWatch): Promise<void> {
  const end = await tree.watch(wholeTree, () => undefined);
  end();
}

/** The events of several lists, each of which has to be in order. */
export function inOrder(lists: readonly (readonly FileEvent[])[]): readonly FileEvent[] {
  for (const list of lists) {
    const kinds = ['deleted', 'created', 'modified'];
    const ranks = list.map(({ event }) => kinds.indexOf(event));
    expect(ranks).toEqual(ranks.toSorted());
    const depths = (kind: string) =>
      list.filter(({ event }) => event === kind).map(({ path }) => path.split('/').length);
    expect(depths('deleted')).toEqual(depths('deleted').toSorted((a, b) => b - a));
    const created = list.filter(({ event }) => event === 'created').map(({ path }) => path);
    for (const [i, path] of created.entries()) {
      expect(created.slice(i).some((later) => path.startsWith(`${later}/`))).toBe(false);
    }
  }
  return lists.flat();
}

/** Events as lines, for comparing. */
export function linesOf(events: readonly FileEvent[]): string[] {
  return events.map(({ event, path }) => `${event} ${path}`);
}

const files = {
  'vault/note.md': 'one',
  'vault/other.md': 'two',
  'vault/sub/deep/leaf.md': 'three',
  'vault/.obsidian/app.json': '{}',
  'vault/.git/HEAD': 'ref',
  'outside/far/away.md': 'four',
};

/** A folder that holds `vault` and `outside`. What is in the vault is old: clocks of disks are coarse. */
export function tempVault(): string {
  const base = tempFolder(files);
  for (const path of Object.keys(files)) utimesSync(join(base, path), 1_000, 1_000);
  return base;
}

/** Does something to files; paths are relative to a folder that holds `vault` and `outside`. */
export interface Hands {
  at(path: string): string;
  write(path: string, text?: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  mkdir(path: string): void;
  link(target: string, path: string): void;
}

export function handsIn(base: string): Hands {
  const at = (path: string): string => join(base, path);
  return {
    at,
    write: (path, text = 'new text') => writeFiles(base, { [path]: text }),
    rename: (from, to) => renameSync(at(from), at(to)),
    // On Windows a folder is not empty while one of its removed files is still open.
    remove: (path) => rmSync(at(path), { recursive: true, maxRetries: 9 }),
    mkdir: (path) => mkdirSync(at(path), { recursive: true }),
    link: (target, path) => symlinkSync(target, at(path)),
  };
}

export type Tell = (report: Partial<WatchReport>) => void;

/** A tree whose watcher tells what the test says and nothing else. */
export async function heardByHand(
  root: string,
  { files = rawDiskOf(root), onStart }: { files?: RawDisk; onStart?: (tell: Tell) => void } = {},
) {
  let listener: (report: WatchReport) => void = () => undefined;
  const tell: Tell = (report) => listener({ paths: [], folders: [], reconcile: false, ...report });
  const watcher = new SharedWatcher({
    start: async (hears) => {
      listener = hears;
      onStart?.(tell);
    },
    flush: async () => undefined,
    close: async () => undefined,
  });
  const tree = new TreeWatch({ files, watcher, timers: nodeTimers });
  const lists: (readonly FileEvent[])[] = [];
  await tree.watch(wholeTree, (events) => lists.push(events));
  const told = async (): Promise<readonly FileEvent[]> => {
    await settled(tree);
    return inOrder(lists.splice(0));
  };
  return { tell, told };
}
