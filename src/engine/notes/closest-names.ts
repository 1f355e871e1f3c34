import type { VaultPath } from '../../base/vault-path.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { callNames } from './call-names.ts';

/** A file that a mistyped name may have meant. */
export interface CloseName {
  /** What finds it: its name, or its path where others have that name. */
  readonly name: string;
  readonly path: VaultPath;
  /** The alias that was close, where it was not the name. */
  readonly alias?: string;
}

/**
 * The names and aliases that come closest to one that was not found, best first; none when nothing
 * is near. Asks the index as it is. Costs a look at every name.
 */
export async function closestNames(
  vault: BoundVault,
  asked: string,
  limit: number,
): Promise<readonly CloseName[]> {
  const rows = await vault.askNow((store) => store.closest(vault.view(), asked, limit));
  const names = await callNames(
    vault,
    rows.map(({ path }) => path),
  );
  return rows.map((row, at) => ({ name: names[at] ?? row.path, ...row }));
}
