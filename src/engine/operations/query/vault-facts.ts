import { inParallel } from '../../../base/in-parallel.ts';
import { fromJson, type Json, toJson } from '../../../base/json.ts';
import { abortReason, rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import { fileNameOf, foldName, type VaultPath } from '../../../base/vault-path.ts';
import type { JsonFacts } from '../../dataview/query-runner.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type {
  FactPart,
  FactsRequest,
  FileFacts,
  NoteItem,
  StoredPart,
} from '../../ports/records.ts';
import type { View } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { Turns } from '../../vault/turns.ts';

/** How many files are read at the same time. */
const readsAtOnce = 8;

/**
 * The facts of a vault for queries: from the index, and the items of lists from the files. Files that
 * the vault's settings exclude are no rows, but links may lead to them; what the caller may not see
 * does not exist. `shown` says whether reading a file for its items counts as read by the caller.
 */
export async function vaultFacts(
  vault: BoundVault,
  { shown } = { shown: false },
): Promise<JsonFacts> {
  const listed = await vault.listedView();
  const turns = new Turns(vault);
  const asked = async (
    view: View,
    parts: readonly FactPart[],
    requestOf: (parts: readonly StoredPart[]) => FactsRequest,
  ): Promise<Json<readonly FileFacts[]>> => {
    const request = requestOf(parts.filter(isStored));
    const files = await vault.ask('facts', (store) => store.queried(view, request));
    if (!parts.includes('items')) return files;
    const withItems = await inParallel(fromJson(files), readsAtOnce, async (file) => {
      await turns.next();
      return { ...file, items: await itemsOf(vault, file.path, shown) };
    });
    return toJson(withItems);
  };
  return {
    files: (request) => asked(listed, request.parts, (parts) => ({ ...request, parts })),
    load: (paths, wanted) => asked(vault.view(), wanted, (parts) => ({ paths, parts })),
    named: (names) => namedFiles(vault, names),
  };
}

/** Whether the index has this part of the facts. Bases ask for no other. */
function isStored(part: FactPart): part is StoredPart {
  return part !== 'items';
}

/** None when the file cannot be read any more. */
async function itemsOf(
  vault: BoundVault,
  path: VaultPath,
  shown: boolean,
): Promise<readonly NoteItem[]> {
  if (fileKind(path) !== 'note') return [];
  try {
    const { text } = await vault.readText(path, { shown: false });
    const items = fromJson(await vault.work('items', text));
    if (shown && items.length > 0) vault.hasRead(path, text);
    return items;
  } catch (error) {
    const { signal } = vault.caller;
    if (signal.aborted) throw abortReason(signal);
    rethrowIfAway(error);
    if (error instanceof VaultError) return [];
    throw error;
  }
}

/** See `FactSource.named`. */
async function namedFiles(
  vault: BoundVault,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly { readonly path: string }[]>> {
  const rows = await vault.ask('names', (store) => store.filesByName(vault.view(), names));
  const found = new Map<string, { path: string }[]>();
  for (const { path } of rows) {
    const name = foldName(fileNameOf(path));
    const files = found.get(name);
    if (files === undefined) found.set(name, [{ path }]);
    else files.push({ path });
  }
  return found;
}
