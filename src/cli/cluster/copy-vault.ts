import { realpathSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { importedName, markImported, unmarkImported } from '../../node/place/cluster-above.ts';
import { findOuterLocks } from '../../node/place/vault-folders.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import {
  checkPathIsFree,
  giveToNodes,
  namedVault,
  takeFromNodes,
} from '../../postgres/nodes/cluster-admin.ts';
import {
  addVaultWithState,
  removeVault,
  stateInPostgres,
} from '../../postgres/state/copy-state.ts';
import { openPostgresState } from '../../postgres/state/postgres-state-store.ts';
import { openCommitLock } from '../../sqlite/lock/commit-lock.ts';
import { openStateFile, type StateFile } from '../../sqlite/state/copy-state.ts';
import { counted } from '../../tools/cli/text.ts';
import { chooseVault } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { openCommandVault } from '../vaults/command-vault.ts';
import { makeStateFolder, vaultPlaces } from '../vaults/vault-places.ts';
import type { ClusterAnswer } from './cluster-command.ts';
import { checkedPath } from './cluster-vaults.ts';

/**
 * `cluster import`: copies what is kept of a vault to PostgreSQL, with its numbers, contents and undo,
 * and adds the vault to the cluster. From then on programs without the cluster refuse it.
 */
export async function importVault(
  postgres: Postgres,
  shell: Shell,
  asked: {
    readonly vault: string;
    readonly name?: string;
    readonly root?: string;
    readonly path?: string;
    readonly pinned?: string;
  },
): Promise<ClusterAnswer> {
  const choice = chooseVault(asked.vault, shell);
  const { root, folders } = vaultPlaces(choice, shell.env, { isImported: true });
  const name = asked.name ?? basename(root);
  const path =
    asked.path === undefined ? pathFor(root, asked.root, shell) : checkedPath(asked.path);
  const earlier = importedName(folders.state);
  if (earlier !== undefined && (await isIn(postgres, earlier))) {
    throw new VaultError('already_exists', `This vault is in the cluster already: "${earlier}".`);
  }
  await checkPathIsFree(postgres, path);
  await unmarkImported(folders.state); // Left by an import that was interrupted.
  await recovered(shell, choice);
  return withState({ root, state: folders.state, shell }, async (state) => {
    let isMarked = false;
    try {
      await addVaultWithState(
        postgres,
        { name, path, ...(asked.pinned === undefined ? {} : { pinned: asked.pinned }) },
        {
          source: state,
          beforeLast: async () => {
            await markImported(folders.state, name);
            isMarked = true;
          },
        },
      );
    } catch (error) {
      if (isMarked) await unmarkImported(folders.state);
      throw error;
    }
    const { last } = await state.head();
    return {
      text: `Copied the history of "${root}" to the cluster, up to change ${last.change}. The vault is called "${name}" there. Its tokens stay here: make new ones with "vaultdoor token create --cluster".\n`,
      value: { vault: name, path, changes: last.change },
    };
  });
}

/**
 * `cluster export`: copies what the cluster keeps of a vault to the state folder of this user, removes
 * the vault from the cluster, and lets programs without a cluster use it again.
 */
export async function exportVault(
  postgres: Postgres,
  shell: Shell,
  asked: { readonly vault: string; readonly name?: string },
): Promise<ClusterAnswer> {
  const choice = chooseVault(asked.vault, shell);
  const { root, folders } = vaultPlaces(choice, shell.env, { isImported: true });
  const name = asked.name ?? importedName(folders.state) ?? basename(root);
  const { id } = await namedVault(postgres, name);
  await makeStateFolder(root, folders);
  return withState({ root, state: folders.state, shell }, async (state) => {
    try {
      await moveToFile(postgres, id, state);
    } finally {
      await giveToNodes(postgres, id);
    }
    await unmarkImported(folders.state);
    const { last } = await state.head();
    return {
      text: `Copied the history of "${name}" from the cluster, up to change ${last.change}, and removed the vault there. If the nodes serve the folder above "${root}", move the vault out of it: programs without the cluster only read there.\n`,
      value: { vault: name, path: root, changes: last.change },
    };
  });
}

/** Copies the state of a vault into a file, and removes the vault from the cluster. */
async function moveToFile(postgres: Postgres, vault: number, file: StateFile): Promise<void> {
  const epoch = await takeFromNodes(postgres, vault);
  const open = await openPostgresState(postgres, { vault, epoch }).unfinished();
  if (open.length > 0) {
    throw new VaultError(
      'conflict',
      `${counted(open.length, 'change')} of this vault ${open.length === 1 ? 'is' : 'are'} not finished; a node finishes them with its next call. Then try again.`,
    );
  }
  await file.replace(stateInPostgres(postgres, vault));
  // From here on the history is in both places, and nobody can write to the one in the cluster.
  await removeVault(postgres, { vault, epoch });
}

/** The path of a vault as the nodes find it: below the folder that they serve, or absolute. */
function pathFor(vault: string, root: string | undefined, { currentFolder }: Shell): string {
  if (root === undefined) return vault;
  const path = relative(realpathSync(resolve(currentFolder, root)), vault);
  if (path !== '' && !path.startsWith('..') && !isAbsolute(path)) return path;
  throw new VaultError('invalid_input', `"${vault}" is not in the folder "${root}".`);
}

async function isIn(postgres: Postgres, name: string): Promise<boolean> {
  return namedVault(postgres, name).then(
    () => true,
    () => false,
  );
}

/** Ends changes of the vault that were interrupted, as the next start would. */
async function recovered(shell: Shell, choice: Parameters<typeof openCommandVault>[0]) {
  const vault = openCommandVault(choice, shell, { allowRoots: [] });
  try {
    await vault.writer.recover(shell.signal);
  } finally {
    await vault.close();
  }
}

/** Opens the state of a vault while no other process changes the vault. */
async function withState<T>(
  { root, state, shell }: { readonly root: string; readonly state: string; readonly shell: Shell },
  work: (state: StateFile) => Promise<T>,
): Promise<T> {
  const outer = findOuterLocks(root, shell.env, process.platform);
  const lock = await openCommitLock({ file: join(state, 'lock.db'), outer });
  try {
    const endMs = performance.now() + limits.commitWaitMs;
    while (!(await lock.tryTake())) {
      if (performance.now() > endMs) {
        throw new VaultError('timeout', 'Another program is changing this vault; try again.');
      }
      await setTimeout(50);
    }
    const file = await openStateFile(join(state, 'state.db'));
    try {
      return await work(file);
    } finally {
      file.close();
    }
  } finally {
    await lock.close();
  }
}
