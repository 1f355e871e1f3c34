import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { foldName, isHidden } from '../../base/vault-path.ts';
import { openVaultRoot } from '../place/open-vault-root.ts';
import type { DiskCalls } from './disk-calls.ts';

/** Where a vault's files may really be: in its own folder, or where the user allowed. */
export interface VaultRoots {
  /** The vault's folder, without symlinks. */
  readonly root: string;
  /** Other folders that symlinks may lead to, without symlinks. */
  readonly allowed: readonly string[];
  /** How the system is asked for what is there; absent where nobody minds that it takes its time. */
  readonly calls?: DiskCalls;
}

/** The same with that decided; it may be decided anew at any time. */
export type DiskRoots = VaultRoots & { readonly calls: DiskCalls };

/**
 * The real folders behind a vault. Fails with `vault_not_found` when it is not there. An allowed
 * root that does not exist allows nothing.
 */
export function realRoots(root: string, allowRoots: readonly string[] = []): VaultRoots {
  return { root: openVaultRoot(root), allowed: allowRoots.flatMap(realPathOf) };
}

/** The same for a vault that may be away at the moment: then `root` has to be its real path. */
export function lastingRoots(root: string, allowRoots: readonly string[] = []): VaultRoots {
  return { root: realPathOf(root)[0] ?? root, allowed: allowRoots.flatMap(realPathOf) };
}

/** The real path, or none where nothing is. */
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
 * Whether a vault path may lead to this real path: inside the vault or an allowed folder, and
 * never from a visible name to a hidden one (`notes -> .obsidian`).
 */
export function admits({ root, allowed }: VaultRoots, path: string, real: string): boolean {
  const inside = insidePath(root, real);
  if (inside !== undefined) return isHidden(path) || !isHidden(inside);
  return allowed.some((folder) => liesIn(real, folder));
}

/**
 * Whether a folder's path leads, through a symlink, to another folder of the vault. Its files are
 * there already under their own path, and what a caller may see is judged by that path.
 */
export function isAnotherFolder({ root }: VaultRoots, folder: string, real: string): boolean {
  const inside = insidePath(root, real);
  return inside !== undefined && foldName(inside) !== foldName(folder);
}

/** A real path as seen from the vault's root, `/` between names; undefined outside of it. */
export function insidePath(root: string, real: string): string | undefined {
  if (!liesIn(real, root)) return undefined;
  const inside = real.slice(root.endsWith(sep) ? root.length : root.length + sep.length);
  return sep === '/' ? inside : inside.replaceAll(sep, '/');
}

/** The refusal of a path that leads elsewhere. Says the vault's name for it, not where it leads. */
export function leadsOutside(path: string): VaultError {
  return new VaultError(
    'outside_vault',
    `"${path}" leads outside of what may be read through a symlink; use the path it leads to, or allow its folder with --allow-root.`,
    { details: { path } },
  );
}

/**
 * Decides which symlinked folders are walked and watched. Each place is listed once: a link to
 * somewhere inside the vault, or to what another link already shows, is refused with a reason.
 * That also makes loops impossible.
 */
export function makeFolderLinks(roots: VaultRoots): {
  refusal(real: string): string | undefined;
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
