import { VaultError } from '../../../base/vault-error.ts';
import { isInside, vaultFolder } from '../../../base/vault-path.ts';
import { type ChangeRow, changeRow } from '../../change/change-row.ts';
import { readHistory } from '../../history/read-history.ts';
import { shownChanges } from '../../history/shown-changes.ts';
import { findNote } from '../../notes/find-note.ts';
import type { Page } from '../../ports/index-store.ts';
import type { ChangeFilter, StoredChange } from '../../ports/state-store.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** A filter for changes: who made them, when, and which files they touched. Absent means any. */
export interface WhichChanges {
  /** The connection that made them. */
  readonly session?: string | undefined;
  /** The names of clients, with or without a version; any of them. */
  readonly clients?: readonly string[] | undefined;
  readonly sinceMs?: number | undefined;
  /** A file, or a folder with everything in it, under its path at the time of the change. */
  readonly path?: string | undefined;
}

/**
 * Lists the changes of the vault that match a filter, newest first. The caller sees only the files
 * of a change that it may see; changes without any such file are left out.
 */
export async function listChanges(
  vault: BoundVault,
  request: WhichChanges & { readonly limit: number; readonly offset: number },
): Promise<Page<ChangeRow>> {
  const { limit, offset, path } = request;
  const filter = changeFilter(request);
  if (seesAll(vault.view())) {
    const { total, items } = await vault.history.changes(filter, { limit, offset });
    return { total, items: await shownChanges(vault, items) };
  }
  const items: StoredChange[] = [];
  let total = 0;
  for await (const change of readHistory(vault.history, filter)) {
    const row = changeRow(vault, change);
    if (row === undefined || (path !== undefined && !touches(row, path))) continue;
    if (total >= offset && items.length < limit) items.push(change);
    total++;
  }
  return { total, items: await shownChanges(vault, items) };
}

/** Turns the filter into the form that the store of the history takes. */
export function changeFilter({ session, clients, sinceMs, path }: WhichChanges): ChangeFilter {
  return {
    ...(session === undefined ? {} : { connection: session }),
    ...(clients === undefined ? {} : { clientNames: clients }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(path === undefined ? {} : { path: vaultFolder(path) }),
  };
}

/**
 * Whether a file of a change that the caller may see is at the path or in the folder. Another
 * file must not make a change match, because that would reveal it.
 */
function touches({ files }: ChangeRow, path: string): boolean {
  const asked = vaultFolder(path);
  return files.some((file) =>
    [file.path, file.from].some((at) => at !== undefined && (at === asked || isInside(at, asked))),
  );
}

/**
 * Lists the changes of the vault, or of one note, newest first. When no note has the name any more,
 * looks for it in the history as a path, first with `.md` added. Fails with `ambiguous` when
 * several notes have the name.
 */
export async function listNoteChanges(
  vault: BoundVault,
  request: {
    readonly name: NoteName | undefined;
    readonly sinceMs?: number;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<Page<ChangeRow>> {
  const { name, ...page } = request;
  if (name === undefined) return listChanges(vault, page);
  const path = await pathOf(vault, name);
  if (path !== undefined) return listChanges(vault, { ...page, path });
  const asked = (typeof name === 'string' ? name : name.path).trim();
  const asNote = await listChanges(vault, { ...page, path: `${asked}.md` });
  return asNote.total > 0 ? asNote : listChanges(vault, { ...page, path: asked });
}

/** The path of the note that a name means; undefined when there is none. */
async function pathOf(vault: BoundVault, name: NoteName): Promise<string | undefined> {
  try {
    return await findNote(vault, name);
  } catch (error) {
    if (error instanceof VaultError && error.code === 'not_found') return undefined;
    throw error;
  }
}
