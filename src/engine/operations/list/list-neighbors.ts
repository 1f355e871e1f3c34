import { limits } from '../../../base/limits.ts';
import { findNote } from '../../notes/find-note.ts';
import type { Neighborhood, NeighborhoodRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

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
