import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import type {
  Neighborhood,
  NeighborhoodRequest,
  Page,
  PageRequest,
  UnresolvedRow,
} from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** Link targets that no file answers to, in the order of their names. */
export async function listUnresolved(
  vault: BoundVault,
  request: PageRequest,
): Promise<Page<UnresolvedRow>> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.unresolved(view, request));
}

/** Notes that no other file links to. */
export async function listOrphans(
  vault: BoundVault,
  request: PageRequest,
): Promise<Page<VaultPath>> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.orphans(view, request));
}

/** Notes that link to nothing else: no link at all, or only to places in themselves. */
export async function listDeadEnds(
  vault: BoundVault,
  request: PageRequest,
): Promise<Page<VaultPath>> {
  const view = await vault.listedView();
  return vault.ask('facts', (store) => store.deadEnds(view, request));
}

/** The notes around a file in the graph of links, and the links that lead to them. */
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
