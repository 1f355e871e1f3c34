import type { VaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { PageRequest } from '../../ports/index-store.ts';
import { factsOf } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** The aliases of a note, or of all notes, in the order of the paths and as the notes list them. */
export async function listAliases(
  vault: BoundVault,
  request: PageRequest & { readonly name?: NoteName },
): Promise<{
  readonly total: number;
  readonly aliases: readonly { readonly alias: string; readonly path: VaultPath }[];
}> {
  const { name, limit, offset } = request;
  if (name === undefined) {
    const view = await vault.listedView();
    const page = await vault.ask('facts', (store) => store.aliases(view, { limit, offset }));
    return { total: page.total, aliases: page.items };
  }
  const all = await aliasesOf(vault, name);
  return { total: all.length, aliases: all.slice(offset, offset + limit) };
}

async function aliasesOf(vault: BoundVault, name: NoteName) {
  const { path, text } = await vault.readText(await findNote(vault, name));
  return factsOf(fileKind(path), text).aliases.map((alias) => ({ alias: alias.text, path }));
}
