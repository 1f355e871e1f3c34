import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { extensionOf, fileNameOf, isVaultPath, vaultPath } from '../../../base/vault-path.ts';
import type { LinkHandling, MovedLinks } from '../../moves/move-files.ts';
import { moveFiles } from '../../moves/move-files.ts';
import { checkFree, newPath } from '../../new-notes/new-path.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

interface MoveFileRequest {
  readonly name: NoteName;
  /** A path, or a folder that exists or that is written with a `/` at its end. */
  readonly to: string;
  readonly links?: LinkHandling;
  /** Moves even when links in notes that cannot be read would be missed. */
  readonly force?: boolean;
}

/** Where a file went, and how many links were rewritten. */
export interface MovedFile extends MovedLinks {
  readonly path: VaultPath;
  readonly from: VaultPath;
}

/**
 * Moves a note or an attachment to another path. Rewrites the links that lead to it, its own
 * relative links, and links that would now lead to another file. Fails with `already_exists` when
 * the path is taken, and as `moveFiles` does.
 */
export async function moveFile(draft: Draft, request: MoveFileRequest): Promise<MovedFile> {
  const from = await draft.find(request.name);
  return moveTo(draft, {
    from,
    to: await targetPath(draft, from, request.to),
    ...linkChoices(request),
  });
}

/** Moves one file to a path as `moveFile` does; does nothing when that is its path already. */
export async function moveTo(
  draft: Draft,
  request: {
    readonly from: VaultPath;
    readonly to: string;
    readonly links: LinkHandling;
    readonly force: boolean;
  },
): Promise<MovedFile> {
  const { from, links, force } = request;
  const path = await newPath(draft, request.to, { from });
  if (path === from) return { path, from, links: 0, notes: 0 };
  await checkFree(draft, path, from);
  const moved = await moveFiles(draft, { files: new Map([[from, path]]), links, force });
  return { path, from, ...moved };
}

/** The choices about links that every rename has, with their defaults. */
export function linkChoices(request: { readonly links?: LinkHandling; readonly force?: boolean }) {
  return { links: request.links ?? 'update', force: request.force ?? false } as const;
}

/** Adds a file's extension to its new name where that is left out. */
export function keepExtension(from: VaultPath, to: string): string {
  const extension = extensionOf(from);
  if (extension === '' || extensionOf(to) === extension) return to;
  return to + from.slice(from.length - extension.length - 1);
}

async function targetPath(draft: Draft, from: VaultPath, to: string): Promise<string> {
  const name = fileNameOf(from);
  if (to === '' || to === '/' || to === '.') return name;
  if (to.startsWith('/')) {
    throw new VaultError(
      'outside_vault',
      'A path is relative to the vault; leave out the leading "/".',
    );
  }
  if (to.endsWith('/')) return `${to}${name}`;
  if (isVaultPath(to)) {
    // An existing folder of this name, in whatever case, is a folder to move into.
    const inside = await draft.spell(vaultPath(`${to}/${name}`));
    if ((await draft.kind(vaultPath(inside.slice(0, -name.length - 1)))) === 'folder')
      return inside;
  }
  return keepExtension(from, to);
}
