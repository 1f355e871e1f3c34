import { inParallel } from '../../../base/in-parallel.ts';
import { fromJson } from '../../../base/json.ts';
import { abortReason, rethrowIfAway, VaultError } from '../../../base/vault-error.ts';
import { fileNameOf, foldName, type VaultPath } from '../../../base/vault-path.ts';
import type { FactSource } from '../../bases/query/fact-source.ts';
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
): Promise<FactSource> {
  const listed = await vault.listedView();
  const turns = new Turns(vault);
  const asked = async (view: View, request: FactsRequest): Promise<readonly FileFacts[]> =>
    fromJson(await vault.ask('facts', (store) => store.queried(view, request)));
  const withItems = async (
    files: readonly FileFacts[],
    parts: readonly FactPart[],
  ): Promise<readonly FileFacts[]> => {
    if (!parts.includes('items')) return files;
    return inParallel(files, readsAtOnce, async (file) => {
      await turns.next();
      return { ...file, items: await itemsOf(vault, file.path, shown) };
    });
  };
  return {
    files: async (request) => {
      const parts = request.parts.filter(isStored);
      return withItems(await asked(listed, { ...request, parts }), request.parts);
    },
    load: async (paths, parts) =>
      withItems(await asked(vault.view(), { paths, parts: parts.filter(isStored) }), parts),
    named: (names) => namedFiles(vault, names),
    turn: () => turns.next(),
  };
}

/** Whether the index has this part of the facts. Bases ask for no other. */
export function isStored(part: FactPart): part is StoredPart {
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
export async function namedFiles(
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
