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
  const links = await vault.ask('facts', (store) => store.linksFrom(vault.view(), path));
  return { path, links };
}

/** Lists some of the links of a note, as `listLinks` does. */
export async function linkPage(
  vault: BoundVault,
  request: PageRequest & { readonly name: NoteName },
): Promise<{ path: VaultPath } & Page<LinkRow>> {
  const path = await findNote(vault, request.name);
  const page = await vault.ask('facts', (store) =>
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
  const page = await vault.ask('facts', (store) => store.linksTo(vault.view(), path, request));
  return { path, ...page };
}

/** The links to and from a note, each list with its own total. Lines count from 1. */
interface NoteLinks {
  readonly path: VaultPath;
  /** The files that link to it, and the line of each link. */
  readonly incoming?: Page<{ readonly path: VaultPath; readonly line: number }>;
  /** The files that its links lead to. */
  readonly outgoing?: Page<{ readonly path: VaultPath; readonly line: number }>;
  /** Its links that lead to no file, as they are written, without the subpath. */
  readonly unresolved?: Page<{ readonly link: string; readonly line: number }>;
}

/**
 * Lists the links to a note, its own links, or both. A link from a file that the caller may not see
 * is left out, and a link to such a file counts as unresolved. Fails as `listLinks` does.
 */
export async function noteLinks(
  vault: BoundVault,
  request: PageRequest & { readonly name: NoteName; readonly direction: 'in' | 'out' | 'both' },
): Promise<NoteLinks> {
  const { direction } = request;
  const path = await findNote(vault, request.name);
  const view = vault.view();
  const { to, leading, missing } = await vault.ask('facts', async (store) => ({
    to: direction === 'out' ? undefined : await store.linksTo(view, path, request),
    leading: direction === 'in' ? undefined : await store.linkPage(view, path, led(request, true)),
    missing: direction === 'in' ? undefined : await store.linkPage(view, path, led(request, false)),
  }));
  return {
    path,
    ...(to && { incoming: { total: to.total, items: to.items.map(sourceOf) } }),
    ...(leading && { outgoing: { total: leading.total, items: leading.items.flatMap(targetOf) } }),
    ...(missing && { unresolved: { total: missing.total, items: missing.items.map(missingOf) } }),
  };
}

function led({ limit, offset }: PageRequest, lead: boolean) {
  return { limit, offset, lead };
}

function sourceOf({ source, line }: LinkRow) {
  return { path: source, line: line + 1 };
}

function targetOf({ target, line }: LinkRow) {
  return target === undefined ? [] : [{ path: target, line: line + 1 }];
}

function missingOf({ path, line }: LinkRow) {
  return { link: path, line: line + 1 };
}
