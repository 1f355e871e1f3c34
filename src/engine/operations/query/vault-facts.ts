import { fromJson } from '../../../base/json.ts';
import { fileNameOf, foldName } from '../../../base/vault-path.ts';
import type { FactSource } from '../../bases/query/fact-source.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { Turns } from '../../vault/turns.ts';

/**
 * The facts of a vault for queries, all of them from the index. Files that the vault's settings
 * exclude are no rows, but links may lead to them; what the caller may not see does not exist.
 */
export async function vaultFacts(vault: BoundVault): Promise<FactSource> {
  const listed = await vault.listedView();
  const turns = new Turns(vault);
  return {
    files: async (request) =>
      fromJson(await vault.ask('facts', (store) => store.queried(listed, request))),
    load: async (paths, parts) =>
      fromJson(await vault.ask('facts', (store) => store.queried(vault.view(), { paths, parts }))),
    named: (names) => namedFiles(vault, names),
    turn: () => turns.next(),
  };
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
