import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RemoteWire } from './remote-wire.ts';

/** What a client believes is in a vault: the paths of folders, and of files with their times. */
export type VaultView = ReadonlyMap<string, number | 'folder'>;

/** A client that looks once and then only listens: its view is as good as the events are. */
export class RemoteView {
  readonly #wire: RemoteWire;
  readonly #paths = new Map<string, number | 'folder'>();

  private constructor(wire: RemoteWire) {
    this.#wire = wire;
  }

  /** Watches first and walks then, so that nothing comes to be between. */
  static async open(wire: RemoteWire): Promise<RemoteView> {
    const view = new RemoteView(wire);
    await wire.result('fs.watch', { path: '', recursive: true });
    const { entries } = await wire.result<{
      entries: readonly { path: string; type: string; mtime: number }[];
    }>('fs.walk', { path: '', recursive: true });
    for (const { path, type, mtime } of entries) {
      view.#paths.set(path, type === 'folder' ? 'folder' : mtime);
    }
    return view;
  }

  /** The view with all that has been told so far. A path without an ending is a folder here. */
  now(): VaultView {
    for (const { params } of this.#wire.frames.splice(0)) {
      const { path, event, mtime } = params as { path: string; event: string; mtime: number };
      if (event === 'deleted') this.#paths.delete(path);
      else this.#paths.set(path, path.includes('.') ? mtime : 'folder');
    }
    return this.#paths;
  }
}

/** The same of the disk itself. */
export function viewOfDisk(vault: string): VaultView {
  const entries = readdirSync(vault, { recursive: true, encoding: 'utf8' });
  return new Map(
    entries.map((path) => {
      const stat = lstatSync(join(vault, path), { bigint: true });
      return [path, stat.isDirectory() ? 'folder' : Number(stat.mtimeNs / 1_000_000n)];
    }),
  );
}

/** Lines in which two views differ. */
export function viewFaults(seen: VaultView, disk: VaultView): readonly string[] {
  const paths = new Set([...seen.keys(), ...disk.keys()]);
  return [...paths]
    .filter((path) => seen.get(path) !== disk.get(path))
    .map((path) => `${path}: seen ${seen.get(path)}, on disk ${disk.get(path)}`);
}
