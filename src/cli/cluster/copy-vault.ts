import { realpathSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { importedName, markImported, unmarkImported } from '../../node/place/cluster-above.ts';
import { findOuterLocks, type VaultFolders } from '../../node/place/vault-folders.ts';
import { connectLocal, localSocketPath } from '../../node/server/local-socket.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import {
  checkPathIsFree,
  giveToNodes,
  isNameTaken,
  namedVault,
  nameTaken,
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
  if (await isIn(postgres, name)) throw nameTaken(name);
  await checkPathIsFree(postgres, path);
  await refuseServed(folders);
  await unmarkImported(folders.state); // Left by an import that was interrupted.
  await recovered(shell, choice);
  return withState({ root, state: folders.state, shell }, async (state) => {
    await addVaultWithState(
      postgres,
      { name, path, ...(asked.pinned === undefined ? {} : { pinned: asked.pinned }) },
      {
        source: state,
        beforeLast: () => markImported(folders.state, name),
        afterUndone: () => unmarkImported(folders.state),
      },
    ).catch((error: unknown) => {
      // Another import was faster.
      throw isNameTaken(error) ? nameTaken(name) : error;
    });
    const { last } = await state.head();
    return {
      text: `Copied the history of "${root}" to the cluster, up to change ${last.change}. The vault is called "${name}" there. If a program has had "${root}" open since before, end it now: it does not notice the import, and what it writes is in no history of the cluster. The tokens stay here: make new ones with "vaultdoor token create --cluster".\n`,
      value: { vault: name, path, changes: last.change },
    };
  });
}

/**
 * `cluster export`: copies what the cluster keeps of a vault to the state folder of this user, removes
 * the vault from the cluster, and lets programs without a cluster use it again. If the vault is not in
 * the cluster, because an import or export was interrupted, it only does the last.
 */
export async function exportVault(
  postgres: Postgres,
  shell: Shell,
  asked: { readonly vault: string; readonly name?: string },
): Promise<ClusterAnswer> {
  const choice = chooseVault(asked.vault, shell);
  const { root, folders } = vaultPlaces(choice, shell.env, { isImported: true });
  const mark = importedName(folders.state);
  const name = asked.name ?? (mark || basename(root));
  if (mark === name && !(await isIn(postgres, name))) {
    await unmarkImported(folders.state);
    return {
      text: `There is no vault "${name}" in the cluster: an import or export was interrupted. The history is on this machine, and programs without the cluster can use "${root}" again.\n`,
      value: { vault: name, path: root },
    };
  }
  const { id } = await namedVault(postgres, name);
  await makeStateFolder(root, folders);
  return withState({ root, state: folders.state, shell }, async (state) => {
    // An empty mark is one that cannot be read.
    if (mark !== name && mark !== '') await refuseOtherHistory(state, { root, name });
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
  // The history is now in state.db and in PostgreSQL. No node can write to the latter: it would need the
  // fence number, which this command has claimed.
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
    (error: unknown) => {
      if (toVaultError(error).code === 'vault_not_found') return false;
      throw error;
    },
  );
}

/** Fails when a server has the vault open: it would not notice that the vault is in a cluster. */
async function refuseServed(folders: VaultFolders): Promise<void> {
  const path = localSocketPath(folders, process.platform);
  const server = await connectLocal(path);
  if (server === undefined) return;
  if (server !== 'busy') server.destroy();
  throw new VaultError(
    'conflict',
    `A server of this vault is running (it listens at "${path}"). End it and every other program that has the vault open, then import again.`,
  );
}

/** Fails when the state has changes of its own, which those of the cluster's vault would replace. */
async function refuseOtherHistory(
  state: StateFile,
  { root, name }: { readonly root: string; readonly name: string },
): Promise<void> {
  const { last } = await state.head();
  if (last.change === 0) return;
  throw new VaultError(
    'conflict',
    `"${root}" has a history of its own on this machine and was not imported as "${name}"; the export would replace that history. Export to a folder that Vaultdoor has not written to.`,
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
