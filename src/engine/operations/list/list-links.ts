import type { VaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import type { LinkRow, Page, PageRequest } from '../../ports/index-store.ts';
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

/** The links of a note, each list with its own total. Lines count from 1. */
interface NoteLinks {
  readonly path: VaultPath;
  /** Where links to it stand. */
  readonly incoming?: Page<{ readonly path: VaultPath; readonly line: number }>;
  /** What its links lead to. */
  readonly outgoing?: Page<{ readonly path: VaultPath; readonly line: number }>;
  /** Its links that no file answers to, as written, without subpath. */
  readonly unresolved?: Page<{ readonly link: string; readonly line: number }>;
}

/**
 * The links to a note, or of it, or both, in the order of the files and of the text. What the
 * caller may not see links nowhere and is linked to by nobody.
 */
export async function noteLinks(
  vault: BoundVault,
  request: PageRequest & { readonly name: NoteName; readonly direction: 'in' | 'out' | 'both' },
): Promise<NoteLinks> {
  const { direction } = request;
  const path = await findNote(vault, request.name);
  const view = vault.view();
  const { to, from } = await vault.ask('facts', async (store) => ({
    to: direction === 'out' ? undefined : await store.linksTo(view, path, request),
    from: direction === 'in' ? undefined : await store.linksFrom(view, path),
  }));
  return {
    path,
    ...(to && { incoming: { total: to.total, items: to.items.map(sourceOf) } }),
    ...(from && {
      outgoing: pageOf(from.flatMap(targetOf), request),
      unresolved: pageOf(from.flatMap(missingOf), request),
    }),
  };
}

function sourceOf({ source, line }: LinkRow) {
  return { path: source, line: line + 1 };
}

function targetOf({ target, line }: LinkRow) {
  return target === undefined ? [] : [{ path: target, line: line + 1 }];
}

function missingOf({ target, path, line }: LinkRow) {
  return target === undefined ? [{ link: path, line: line + 1 }] : [];
}

function pageOf<T>(all: readonly T[], { limit, offset }: PageRequest): Page<T> {
  return { total: all.length, items: all.slice(offset, offset + limit) };
}
