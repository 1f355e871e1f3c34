import type { VaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import type { LinkRow, Page } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** The links of a note, in order, each with the file it leads to if there is one. */
export async function listLinks(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ path: VaultPath; links: readonly LinkRow[] }> {
  const path = await findNote(vault, request.name);
  const links = await vault.ask('facts', (store) => store.linksFrom(vault.view(), path));
  return { path, links };
}

/** The links that lead to a file, in order of the files they stand in. */
export async function listBacklinks(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly limit: number; readonly offset: number },
): Promise<{ path: VaultPath } & Page<LinkRow>> {
  const path = await findNote(vault, request.name);
  const page = await vault.ask('facts', (store) => store.linksTo(vault.view(), path, request));
  return { path, ...page };
}
