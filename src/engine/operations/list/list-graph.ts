import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { findFolder } from '../../notes/find-folder.ts';
import { findNote } from '../../notes/find-note.ts';
import type {
  FolderPage,
  Neighborhood,
  NeighborhoodRequest,
  Page,
  PageRequest,
  UnresolvedRow,
} from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** Lists the link targets for which there is no file, by name. */
export async function listUnresolved(
  vault: BoundVault,
  request: PageRequest,
): Promise<Page<UnresolvedRow>> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.unresolved(view, request));
}

/** Lists the notes that no other file links to. Fails as `findFolder` does. */
export async function listOrphans(
  vault: BoundVault,
  request: FolderPage,
): Promise<Page<VaultPath>> {
  const page = await foundFolder(vault, request);
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.orphans(view, page));
}

/**
 * Lists the attachments that no file links to or embeds. Files that Obsidian's settings exclude from
 * lists count like any other: what they embed is used. Fails as `findFolder` does.
 */
export async function listUnusedAttachments(
  vault: BoundVault,
  request: FolderPage,
): Promise<Page<VaultPath>> {
  const page = await foundFolder(vault, request);
  return vault.ask('facts', (store) => store.unused(vault.view(), page));
}

/**
 * Lists the notes that do not link to any other file: without links, or with links into themselves
 * only. Fails as `findFolder` does.
 */
export async function listDeadEnds(
  vault: BoundVault,
  request: FolderPage,
): Promise<Page<VaultPath>> {
  const page = await foundFolder(vault, request);
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.deadEnds(view, page));
}

/** The same request with its folder as it is spelled on disk. */
async function foundFolder(vault: BoundVault, request: FolderPage): Promise<FolderPage> {
  const { folder = '' } = request;
  return { ...request, folder: await findFolder(vault, folder) };
}

/**
 * Returns the notes around a file in the graph of links, and the links between them, up to the
 * limits of `graphLinksMax` and `graphNoteLinksMax`. Fails with `not_found` or `ambiguous` when the
 * name does not lead to one file.
 */
export async function listNeighbors(
  vault: BoundVault,
  request: Omit<NeighborhoodRequest, 'linksMax' | 'noteLinksMax'> & { readonly name: NoteName },
): Promise<Neighborhood> {
  const { name, ...wanted } = request;
  const path = await findNote(vault, name);
  const bounds = {
    ...wanted,
    linksMax: limits.graphLinksMax,
    noteLinksMax: limits.graphNoteLinksMax,
  };
  return vault.ask('facts', (store) => store.neighborhood(vault.view(), path, bounds));
}
