import { isInside, vaultFolder } from '../../../base/vault-path.ts';
import type { ChangeRow } from '../../change/change-row.ts';
import { changeRow } from '../../change/change-row.ts';
import { readHistory } from '../../history/read-history.ts';
import type { Page } from '../../ports/index-store.ts';
import type { ChangeFilter } from '../../ports/state-store.ts';
import { seesAll } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** Which changes are meant, by who made them, when and where. */
export interface WhichChanges {
  /** The connection they came through. */
  readonly session?: string | undefined;
  readonly client?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** A file, or a folder with everything in it, under the name it had then. */
  readonly path?: string | undefined;
}

/** Changes of the vault, newest first, as far as the caller may see the files they touched. */
export async function listChanges(
  vault: BoundVault,
  request: WhichChanges & { readonly limit: number; readonly offset: number },
): Promise<Page<ChangeRow>> {
  const { limit, offset, path } = request;
  const state = vault.vault.parts.state;
  const filter = changeFilter(request);
  if (seesAll(vault.view())) {
    const { total, items } = await state.changes(filter, { limit, offset });
    return { total, items: items.flatMap((change) => changeRow(vault, change) ?? []) };
  }
  const items: ChangeRow[] = [];
  let total = 0;
  for await (const change of readHistory(state, filter)) {
    const row = changeRow(vault, change);
    if (row === undefined || (path !== undefined && !touches(row, path))) continue;
    if (total >= offset && items.length < limit) items.push(row);
    total++;
  }
  return { total, items };
}

/** The same question as history's store asks it. */
export function changeFilter({ session, client, sinceMs, path }: WhichChanges): ChangeFilter {
  return {
    ...(session === undefined ? {} : { connection: session }),
    ...(client === undefined ? {} : { client }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(path === undefined ? {} : { path: vaultFolder(path) }),
  };
}

/** Whether what the caller sees of a change is there, too: the rest must not show even so. */
function touches({ files }: ChangeRow, path: string): boolean {
  const asked = vaultFolder(path);
  return files.some((file) =>
    [file.path, file.from].some((at) => at !== undefined && (at === asked || isInside(at, asked))),
  );
}
