import type { VaultPath } from '../../../base/vault-path.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** What needs a look in the vault. */
export interface VaultProblems {
  readonly files: number;
  /** What is wrong in the text of files, such as properties that are not valid YAML. */
  readonly problems: readonly { path: VaultPath; code: string; message: string }[];
  /** Conflict copies that sync programs made. We never touch them. */
  readonly conflicts: readonly { path: VaultPath; conflictOf: VaultPath }[];
  /** Files that are listed but not on this disk (cloud placeholders). */
  readonly absent: number;
  /** Names of files that cannot be written as a vault path. */
  readonly unreachable: readonly string[];
  /** Files and folders that could not be read, and why. */
  readonly refused: readonly { path: string; reason: string }[];
  /** Problems in the vault's settings, as sentences. */
  readonly settings: readonly string[];
  /** What a file cannot keep on this system when we write it, as sentences. */
  readonly writing: readonly string[];
}

/** Lists what needs a look, as the index knows it now; waits for nothing and reads no note. */
export async function listProblems(vault: BoundVault): Promise<VaultProblems> {
  const { keeper, disk } = vault.vault.parts;
  const view = vault.view();
  return vault.askNow(async (store) => {
    const { files, absent } = await store.status(view);
    return {
      files,
      problems: await store.problems(view),
      conflicts: (await store.conflicts(view)).flatMap(({ path, conflictOf }) =>
        conflictOf === undefined ? [] : [{ path, conflictOf }],
      ),
      absent,
      unreachable: keeper.summary.unreachable.filter((name) => vault.sees(name)),
      refused: [
        ...keeper.summary.refused.map(({ path, reason }) => ({ path, reason })),
        ...Array.from(keeper.unread, ([path, reason]) => ({ path, reason })),
      ].filter(({ path }) => vault.sees(path)),
      settings: (await vault.vault.settings()).problems,
      writing: await disk.cannotKeep(),
    };
  });
}
