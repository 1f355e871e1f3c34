import type { VaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import type { LinkRow, Page, PageRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/**
 * Lists the links of a note in the order of its text, each with the file that it leads to, if any.
 * Fails with `not_found` or `ambiguous` when the name does not lead to one file.
 */
export async function listLinks(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ path: VaultPath; links: readonly LinkRow[] }> {
  const path = await findNote(vault, request.name);
  const asked = { from: [path] };
  const links = await vault.askLinks(asked, (store) => store.linksFrom(vault.view(), path));
  return { path, links };
}

/** Lists some of the links of a note, as `listLinks` does. */
export async function linkPage(
  vault: BoundVault,
  request: PageRequest & { readonly name: NoteName },
): Promise<{ path: VaultPath } & Page<LinkRow>> {
  const path = await findNote(vault, request.name);
  const page = await vault.askLinks({ from: [path] }, (store) =>
    store.linkPage(vault.view(), path, {
      limit: request.limit,
      offset: request.offset,
    }),
  );
  return { path, ...page };
}

/**
 * Lists the links that lead to a file, ordered by the files that contain them. Fails as `listLinks`
 * does.
 */
export async function listBacklinks(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly limit: number; readonly offset: number },
): Promise<{ path: VaultPath } & Page<LinkRow>> {
  const path = await findNote(vault, request.name);
  const asked = { to: [path] };
  const page = await vault.askLinks(asked, (store) => store.linksTo(vault.view(), path, request));
  return { path, ...page };
}
