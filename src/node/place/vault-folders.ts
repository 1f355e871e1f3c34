import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { errnoOf } from '../system/disk-error.ts';
import { closePrivateFolder, replacePrivateFile } from '../system/private-files.ts';
import { appFolders } from './app-folders.ts';
import { lookForPlace, placeOf } from './vault-mount.ts';

/** The folders in which Vaultdoor keeps its own files about one vault. They are outside the vault. */
export interface VaultFolders {
  /** 16 hex digits of the SHA-256 of the vault's real path. */
  readonly id: string;
  /** History, journal, locks, tokens: cannot be restored when they are lost. */
  readonly state: string;
  /** The index: can be rebuilt, so it may be deleted at any time. */
  readonly cache: string;
}

/** What the state folder records about its vault, to recognise it after it was moved. */
interface VaultRecord {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  /** The folder's time of creation. A new folder may get a deleted one's inode, but not its time. */
  readonly bornNs: string;
  /** Where the vault's drive is mounted; absent when it is the system's own drive. */
  readonly mount?: string;
  /** The type of its file system, as the system numbers them. */
  readonly fileSystem?: number;
}

const recordFile = 'vault.json';

/** The folders of the vault at a real path. Creates nothing. */
export function vaultFolders(
  realPath: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): VaultFolders {
  const id = createHash('sha256').update(realPath).digest('hex').slice(0, 16);
  const { join } = platform === 'win32' ? win32 : posix;
  const { state, cache } = appFolders(env, platform);
  return { id, state: join(state, id), cache: join(cache, id) };
}

/**
 * Fails with `vault_not_found` when the vault's folder is empty and the drive that was mounted there
 * is missing: notes written now would be hidden as soon as the drive is mounted again. A folder that
 * contains anything is accepted.
 */
export function refuseUnmounted(realPath: string, folders: VaultFolders): void {
  const record = recordIn(readIfThere(`${folders.state}/${recordFile}`));
  if (record?.mount === undefined || readdirSync(realPath).length > 0) return;
  const isMounted = placeOf(realPath).mount === record.mount;
  if (isMounted && statfsSync(realPath).type === record.fileSystem) return;
  throw new VaultError(
    'vault_not_found',
    `The vault "${realPath}" cannot be opened: its folder is empty, and the drive that was mounted at "${record.mount}" is not. Mount the drive, then try again. If this folder is to be the vault from now on, put a note into it first.`,
    { details: { vault: realPath } },
  );
}

/**
 * Creates the state folder, closes it to everyone but its owner, and records which vault it belongs
 * to. When the vault was moved to this path, takes over its state and returns its old path as
 * `adoptedFrom`. Fails as `refuseUnmounted` does.
 */
export async function useStateFolder(
  realPath: string,
  folders: VaultFolders,
): Promise<{ adoptedFrom?: string }> {
  refuseUnmounted(realPath, folders);
  const adoptedFrom = await adoptMoved(realPath, folders);
  await closePrivateFolder(folders.state.slice(0, -folders.id.length)); // The states of all vaults.
  await closePrivateFolder(folders.state);
  const record = await recordOf(realPath);
  const written = await readRecord(folders.state);
  if (JSON.stringify(record) !== JSON.stringify(written)) await writeRecord(folders.state, record);
  return adoptedFrom === undefined ? {} : { adoptedFrom };
}

/**
 * Takes over the state of a vault that was moved to `realPath`, and returns the vault's old path.
 * Such a state records this very folder (device, inode, time of creation) under a path where the
 * folder no longer is. Returns undefined when there is none, or when this path already has state.
 * It is one rename, so two processes that try at the same time do no harm.
 */
async function adoptMoved(realPath: string, folders: VaultFolders): Promise<string | undefined> {
  if ((await readRecord(folders.state)) !== undefined) return undefined;
  const here = await recordOf(realPath);
  const all = folders.state.slice(0, -folders.id.length); // The folder with the states of all vaults.
  for (const id of await namesIn(all)) {
    const record = await readRecord(all + id);
    if (record === undefined || id === folders.id || !isSameFolder(record, here)) continue;
    if (await isStillThere(record)) continue;
    try {
      await rename(all + id, folders.state);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      return undefined; // Another process was faster, or this path already has a state folder.
    }
    // The index of the old path is no longer needed.
    await rm(folders.cache.slice(0, -folders.id.length) + id, { recursive: true, force: true });
    return record.path;
  }
  return undefined;
}

async function recordOf(path: string): Promise<VaultRecord> {
  const { dev, ino, birthtimeNs } = await stat(path, { bigint: true });
  const { mount } = await lookForPlace(path);
  return {
    path,
    device: String(dev),
    inode: String(ino),
    bornNs: String(birthtimeNs),
    ...(mount === undefined ? {} : { mount, fileSystem: (await statfs(path)).type }),
  };
}

function isSameFolder(a: VaultRecord, b: VaultRecord): boolean {
  // FUSE has no time of creation, and uses the same numbers again for the next mount.
  if (a.bornNs === '0') return false;
  return a.device === b.device && a.inode === b.inode && a.bornNs === b.bornNs;
}

async function isStillThere(record: VaultRecord): Promise<boolean> {
  try {
    return isSameFolder(await recordOf(record.path), record);
  } catch {
    return false;
  }
}

/** The record in a state folder; undefined when it is missing or damaged. */
async function readRecord(state: string): Promise<VaultRecord | undefined> {
  return recordIn(await readFile(`${state}/${recordFile}`, 'utf8').catch(() => undefined));
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file).toString('utf8');
  } catch {
    return undefined;
  }
}

function recordIn(text: string | undefined): VaultRecord | undefined {
  try {
    const record: unknown = JSON.parse(text ?? '');
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is VaultRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Partial<Record<keyof VaultRecord, unknown>>;
  return [fields.path, fields.device, fields.inode, fields.bornNs].every(
    (field) => typeof field === 'string',
  );
}

async function writeRecord(state: string, record: VaultRecord): Promise<void> {
  await replacePrivateFile(`${state}/${recordFile}`, JSON.stringify(record));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // No vault was opened yet.
  }
}

/**
 * Returns a function that lists the lock files of the vaults that contain the vault at `realPath`.
 * Every vault that was ever opened has a state folder, so these are found by looking for the state
 * folders of all parent folders. A lock file that does not exist yet is listed too, since that vault
 * may be about to write.
 */
export function findOuterLocks(
  realPath: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): () => readonly string[] {
  const { dirname, join } = platform === 'win32' ? win32 : posix;
  const states: string[] = [];
  for (let inner = realPath, folder = dirname(inner); folder !== inner; ) {
    states.push(vaultFolders(folder, env, platform).state);
    inner = folder;
    folder = dirname(inner);
  }
  return () => states.filter((state) => existsSync(state)).map((state) => join(state, 'lock.db'));
}
