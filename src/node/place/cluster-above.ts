import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { makeFolders, replacePrivateFile } from '../system/private-files.ts';

/** The folder in which a cluster keeps its own files, beside the vaults. */
const clusterFolder = '.vaultdoor';
/** The folder with the gates of all vaults, and the file with the address of a node. */
const gatesFolder = join(clusterFolder, 'gates');
const addressFile = join(clusterFolder, 'address');
/** Left in the state folder of a vault whose state was copied to a cluster. */
const importedFile = 'in-cluster.json';

/** A cluster that serves the folder of a vault. */
export interface ClusterAbove {
  /** The folder with the vaults. */
  readonly root: string;
  /** Where a node was last reached; absent when no node has said so. */
  readonly address?: string;
}

/**
 * The cluster that serves a vault at this real path: the nearest folder above it that has gates.
 * Undefined when there is none. Looks at each folder above once.
 */
export function clusterAbove(realPath: string): ClusterAbove | undefined {
  const root = dirname(realPath);
  if (root === realPath) return undefined;
  if (!existsSync(join(root, gatesFolder))) return clusterAbove(root);
  const address = textIn(join(root, addressFile))?.trim();
  return { root, ...(address ? { address } : {}) };
}

/** The folder with the gates of one vault. */
export function clusterGates(root: string, vault: number): string {
  return join(root, gatesFolder, `${vault}`);
}

/** The failure of a program without `--cluster` that would write to a vault of a cluster. */
export function servedByCluster({ root, address }: ClusterAbove): VaultError {
  const where = address === undefined ? 'a node of that cluster' : address;
  return new VaultError(
    'forbidden',
    `A cluster serves the vaults in "${root}", so this program can only read them. To write, use ${where}.`,
    { details: { root, ...(address === undefined ? {} : { address }) } },
  );
}

/** Writes the address of a node beside the gates, for programs that would write themselves. */
export async function noteNodeAddress(root: string, address: string): Promise<void> {
  await makeFolders(join(root, gatesFolder));
  await replacePrivateFile(join(root, addressFile), `${address}\n`);
}

/** The name that a vault has in the cluster to which its state was copied; undefined for any other. */
export function importedName(stateFolder: string): string | undefined {
  const text = textIn(join(stateFolder, importedFile));
  if (text === undefined) return undefined;
  try {
    const { vault } = JSON.parse(text) as { vault?: unknown };
    return typeof vault === 'string' ? vault : '';
  } catch {
    return '';
  }
}

/** Fails with `forbidden` when the state of a vault was copied to a cluster. */
export function refuseImported(stateFolder: string): void {
  const name = importedName(stateFolder);
  if (name === undefined) return;
  throw new VaultError(
    'forbidden',
    `This vault is in a cluster now, under the name "${name}", and its history is there: use a node of that cluster. "vaultdoor cluster export" brings it back.`,
    { details: { vault: name } },
  );
}

/** Leaves the mark that `refuseImported` finds. */
export async function markImported(stateFolder: string, vault: string): Promise<void> {
  await replacePrivateFile(join(stateFolder, importedFile), `${JSON.stringify({ vault })}\n`);
}

/** Takes the mark away. */
export async function unmarkImported(stateFolder: string): Promise<void> {
  await rm(join(stateFolder, importedFile), { force: true });
}

/** Decoded from bytes: on GlusterFS, reading a text aborts the process when closing the file fails. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file).toString('utf8');
  } catch {
    return undefined;
  }
}
