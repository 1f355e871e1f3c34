import { limits } from '../../../base/limits.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { extensionOf, isInside } from '../../../base/vault-path.ts';
import { findFolder } from '../../notes/find-folder.ts';
import { findableNames } from '../../notes/findable-names.ts';
import { fileKind, isParsed } from '../../ports/file-kind.ts';
import type { FileRow, Page, PageRequest } from '../../ports/index-store.ts';
import type { FileKind } from '../../ports/records.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

const allKinds: readonly FileKind[] = ['note', 'canvas', 'base', 'attachment'];

/**
 * Lists the files of a folder, at any depth, without those that the vault's settings exclude. Fails
 * as `findFolder` does.
 */
export async function listFiles(
  vault: BoundVault,
  request: {
    readonly folder: VaultFolder;
    readonly kinds: readonly FileKind[];
    readonly sort: 'path' | 'name' | 'modified';
    /** Only files that were modified then or later. */
    readonly sinceMs?: number;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<Page<FileRow>> {
  const folder = await findFolder(vault, request.folder);
  const view = await vault.listedView();
  return vault.ask('names', (store) => store.files(view, { ...request, folder }));
}

/**
 * Lists files of every kind in a folder, at any depth, in path order; only those with this
 * extension if it is given, without regard to its case. Fails as `listFiles` does.
 */
export async function listAllFiles(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder; readonly extension?: string | undefined },
): Promise<Page<FileRow>> {
  const { folder, limit, offset } = request;
  if (request.extension === undefined) {
    return listFiles(vault, { folder, kinds: allKinds, sort: 'path', limit, offset });
  }
  const extension = request.extension.replace(/^\./, '').toLowerCase();
  const kind = fileKind(`x.${extension}`);
  const asked = { folder, kinds: [kind], sort: 'path' } as const;
  // Each parsed kind has exactly one extension. All other files are attachments, filtered here.
  if (isParsed(kind)) return listFiles(vault, { ...asked, limit, offset });
  const found: FileRow[] = [];
  for (let from = 0; ; from += limits.resultsMax) {
    const page = await listFiles(vault, { ...asked, limit: limits.resultsMax, offset: from });
    found.push(...page.items.filter(({ path }) => extensionOf(path) === extension));
    if (from + limits.resultsMax >= page.total) break;
  }
  return { total: found.length, items: found.slice(offset, offset + limit) };
}

/**
 * Lists the names of the notes in a folder, at any depth, without `.md`, by name or with the latest
 * change first, and in `modifiedMs` the times of their changes. A note that shares its name with
 * another file is listed by its path. Fails as `listFiles` does.
 */
export async function listNoteNames(
  vault: BoundVault,
  request: {
    readonly folder: VaultFolder;
    readonly sort: 'name' | 'modified';
    readonly sinceMs?: number;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<{ total: number; names: readonly string[] }> {
  const { total, items } = await listFiles(vault, { ...request, kinds: ['note'] });
  const names = await findableNames(
    vault,
    items.map(({ path }) => path),
  );
  return { total, names };
}

/**
 * Lists the conflict copies in a folder, at any depth, in path order, each with the file that it is
 * a copy of. Fails as `findFolder` does.
 */
export async function listConflicts(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder },
): Promise<Page<{ readonly path: VaultPath; readonly original: VaultPath }>> {
  const { limit, offset } = request;
  const folder = await findFolder(vault, request.folder);
  const rows = await vault.ask('names', (store) => store.conflicts(vault.view()));
  const items = rows.flatMap(({ path, conflictOf }) =>
    conflictOf !== undefined && isInside(path, folder) ? [{ path, original: conflictOf }] : [],
  );
  return { total: items.length, items: items.slice(offset, offset + limit) };
}
