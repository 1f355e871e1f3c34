import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { foldName, isHidden } from '../../base/vault-path.ts';
import { openVaultRoot } from '../place/open-vault-root.ts';
import type { DiskCalls } from './disk-calls.ts';

/** The real folders in which a vault's files may be: its own, and those that the user has allowed. */
export interface VaultRoots {
  /** The vault's folder, without symlinks. */
  readonly root: string;
  /** Other folders that symlinks may lead to, without symlinks. */
  readonly allowed: readonly string[];
  /** How the disk is called; asynchronously when absent. */
  readonly calls?: DiskCalls;
}

/** The same, with `calls` given. They may be replaced at any time, so they are read at each use. */
export type DiskRoots = VaultRoots & { readonly calls: DiskCalls };

/**
 * The real folders of a vault. Fails with `vault_not_found` when the vault does not exist. An
 * allowed folder that does not exist is left out.
 */
export function realRoots(root: string, allowRoots: readonly string[] = []): VaultRoots {
  return { root: openVaultRoot(root), allowed: allowRoots.flatMap(realPathOf) };
}

/** The same for a vault that may be away at the moment; then `root` must be its real path. */
export function lastingRoots(root: string, allowRoots: readonly string[] = []): VaultRoots {
  return { root: realPathOf(root)[0] ?? root, allowed: allowRoots.flatMap(realPathOf) };
}

/** A list with the real path; empty when nothing is there. */
function realPathOf(path: string): readonly string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

/** Whether a real path lies in a real folder, or is that folder. */
export function liesIn(real: string, folder: string): boolean {
  if (!real.startsWith(folder)) return false;
  return real.length === folder.length || folder.endsWith(sep) || real[folder.length] === sep;
}

/**
 * Whether a vault path may lead to this real path. It must be inside the vault or an allowed folder,
 * and a path without dot names must not lead to a file with one (`notes -> .obsidian`).
 */
export function admits({ root, allowed }: VaultRoots, path: string, real: string): boolean {
  const inside = insidePath(root, real);
  if (inside !== undefined) return isHidden(path) || !isHidden(inside);
  return allowed.some((folder) => liesIn(real, folder));
}

/**
 * Whether a folder's path leads through a symlink to another folder of the vault. Its files already
 * have their own paths there, and it is those paths that decide what a caller may see.
 */
export function isAnotherFolder({ root }: VaultRoots, folder: string, real: string): boolean {
  const inside = insidePath(root, real);
  return inside !== undefined && foldName(inside) !== foldName(folder);
}

/**
 * Whether a path has led to a file or folder of the vault whose name has another case, as on Windows
 * and macOS. Then there is nothing at the path, as on Linux: otherwise one note would have many paths,
 * and its row in the index would stay when only the case of its name changes. Unicode forms are not
 * compared, because a system may answer with another form than it lists.
 */
export function isOtherCase({ root }: VaultRoots, path: string, real: string): boolean {
  if (process.platform === 'linux') return false; // A symlink has led there.
  const inside = insidePath(root, real)?.normalize();
  return inside !== undefined && inside !== path.normalize() && foldName(inside) === foldName(path);
}

/** A real path relative to a real folder, with `/` between names; undefined outside that folder. */
export function insidePath(root: string, real: string): string | undefined {
  if (!liesIn(real, root)) return undefined;
  const inside = real.slice(root.endsWith(sep) ? root.length : root.length + sep.length);
  return sep === '/' ? inside : inside.replaceAll(sep, '/');
}

/** The error for a path that leads outside. Names the vault path, not the place that it leads to. */
export function leadsOutside(path: string): VaultError {
  return new VaultError(
    'outside_vault',
    `"${path}" is reached through a symlink that may not be followed; use the path that it leads to, or allow its folder with --allow-root.`,
    { details: { path } },
  );
}

/**
 * Decides which symlinked folders are walked and watched. Each real folder is listed once: a symlink
 * into the vault, or to a folder that another symlink already shows, is refused with a reason. This
 * also makes endless loops impossible.
 */
export function makeFolderLinks(roots: VaultRoots): {
  /** Why a symlink to this real folder is not followed; undefined when it is. */
  refusal(real: string): string | undefined;
  /** Records that a symlink to this real folder is followed. */
  take(real: string): void;
} {
  const taken: string[] = [];
  return {
    refusal(real) {
      if (liesIn(real, roots.root)) return 'is a symlink to a folder inside the vault';
      if (!admits(roots, '', real)) return 'leads outside the vault through a symlink';
      if (liesIn(roots.root, real)) return 'is a symlink to a folder that holds the vault';
      if (taken.some((other) => liesIn(real, other) || liesIn(other, real))) {
        return 'is a symlink to a folder that another symlink shows';
      }
      return undefined;
    },
    take: (real) => taken.push(real),
  };
}
