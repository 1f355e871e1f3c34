import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { foldName, isHidden, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { elsewhere } from '../../engine/ports/view.ts';
import { asyncDisk } from './disk-calls.ts';
import { insidePath, liesIn, type VaultRoots } from './vault-roots.ts';

/** Where a symlink leads, as a field of a file's stat. */
interface Link {
  readonly leadsTo?: VaultPath;
}

/**
 * The vault path of a real path, as a field of a file's stat; none when the real path is that of
 * `path` itself. A real path outside the vault has a vault path if it lies in a folder to which a
 * symlinked folder on the way of `path` leads; otherwise it is `elsewhere`.
 */
export async function linkOf(roots: VaultRoots, path: string, real: string): Promise<Link> {
  const inside = insidePath(roots.root, real);
  if (inside !== undefined) return linkTo(path, inside);
  return linkTo(path, outsidePath(real, await linkedFolders(roots, foldersAbove(path))));
}

/** The same for threads that wait for the disk. */
export function linkOfSync({ root }: VaultRoots, path: string, real: string): Link {
  const inside = insidePath(root, real);
  if (inside !== undefined) return linkTo(path, inside);
  const linked = new LinkedFolders(root);
  for (const folder of foldersAbove(path)) {
    try {
      linked.add(folder, realpathSync.native(`${root}${sep}${folder}`));
    } catch {
      return { leadsTo: elsewhere }; // It was removed or replaced since the file was opened.
    }
  }
  return linkTo(path, outsidePath(real, linked));
}

/** The folders on the way of a path that symlinks lead to, outside the vault, outermost first. */
class LinkedFolders {
  readonly all: { readonly folder: VaultFolder; readonly real: string }[] = [];
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds a folder, unless it lies in the vault or in one that was added before. */
  add(folder: VaultFolder, real: string): void {
    if (liesIn(real, this.#root) || this.all.some((other) => liesIn(real, other.real))) return;
    this.all.push({ folder, real });
  }
}

async function linkedFolders(
  { root, calls = asyncDisk }: VaultRoots,
  folders: readonly VaultFolder[],
): Promise<LinkedFolders> {
  const linked = new LinkedFolders(root);
  for (const folder of folders) linked.add(folder, await calls.realpath(`${root}${sep}${folder}`));
  return linked;
}

/** The folders that a path goes through, outermost first. */
function foldersAbove(path: string): readonly VaultFolder[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/') as VaultFolder);
}

/** The vault path of a real path outside the vault, as far as these folders tell. */
function outsidePath(real: string, { all }: LinkedFolders): string {
  const shown = all.find((linked) => liesIn(real, linked.real));
  if (shown === undefined) return elsewhere;
  const rest = insidePath(shown.real, real) ?? '';
  return rest === '' ? shown.folder : `${shown.folder}/${rest}`;
}

function linkTo(path: string, other: string): Link {
  if (!isOther(path, other)) return {};
  // No caller sees a dot name in an allowed folder, but a symlink may lead there. (Into one of the
  // vault it may not.)
  return { leadsTo: !isHidden(path) && isHidden(other) ? elsewhere : (other as VaultPath) };
}

/** Whether two vault paths are different. */
function isOther(path: string, other: string): boolean {
  // Systems other than Linux also find a file by another spelling of its name.
  return process.platform === 'linux' ? path !== other : foldName(path) !== foldName(other);
}
