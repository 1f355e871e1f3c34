import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { errnoOf } from '../system/disk-error.ts';
import { replacePrivateFile } from '../system/private-files.ts';
import { appFolders } from './app-folders.ts';
import { lookForPlace, placeOf } from './vault-mount.ts';

/** Where Vaultdoor keeps what belongs to one vault, outside of it. */
export interface VaultFolders {
  /** 16 hex digits of the SHA-256 of the vault's real path. */
  readonly id: string;
  /** History, journal, locks, tokens: cannot be made again. */
  readonly state: string;
  /** The index: may be deleted at any time. */
  readonly cache: string;
}

/** What the state folder records about its vault, to know it again when it was moved. */
interface VaultRecord {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  /** A deleted folder's inode may serve another; its time of birth does not. */
  readonly bornNs: string;
  /** Where the drive that holds the vault is mounted; absent where that is the system's own. */
  readonly mount?: string;
  /** The type of its file system, as the system numbers them. */
  readonly fileSystem?: number;
}

const recordFile = 'vault.json';
const ownerOnly = 0o700;

/** The folders of the vault at a real path. Makes nothing. */
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
 * Refuses an empty folder where the vault was on a drive that is not mounted now: what is written
 * there would be out of sight once it is. A folder with anything in it is taken as it is. Fails
 * with `vault_not_found`.
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
 * Makes the folders, for their owner only, and records which vault they belong to. Adopts the
 * state of a vault that was moved here; answers its old path then. Fails as `refuseUnmounted` does.
 */
export async function useVaultFolders(
  realPath: string,
  folders: VaultFolders,
): Promise<{ adoptedFrom?: string }> {
  refuseUnmounted(realPath, folders);
  const adoptedFrom = await adoptMoved(realPath, folders);
  await mkdir(folders.state, { recursive: true, mode: ownerOnly });
  await mkdir(folders.cache, { recursive: true, mode: ownerOnly });
  const record = await recordOf(realPath);
  const written = await readRecord(folders.state);
  if (JSON.stringify(record) !== JSON.stringify(written)) await writeRecord(folders.state, record);
  return adoptedFrom === undefined ? {} : { adoptedFrom };
}

/**
 * Takes over the state of a vault that was moved to `realPath`: the one that records the same
 * folder (device, inode, birth) under a path where that folder is no more. Answers the old
 * path. Does nothing when there is none, or when this path has state of its own. One rename, so
 * two processes that try at once cannot harm each other.
 */
async function adoptMoved(realPath: string, folders: VaultFolders): Promise<string | undefined> {
  if ((await readRecord(folders.state)) !== undefined) return undefined;
  const here = await recordOf(realPath);
  const all = folders.state.slice(0, -folders.id.length);
  for (const id of await namesIn(all)) {
    const record = await readRecord(all + id);
    if (record === undefined || id === folders.id || !isSameFolder(record, here)) continue;
    if (await isStillThere(record)) continue;
    try {
      await rename(all + id, folders.state);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      return undefined; // Someone was faster, or this path has a folder already.
    }
    // The index of the old place is of no use any more.
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
  // FUSE knows no time of birth, and gives the same numbers to one mount after another.
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

/** What a state folder records; undefined when there is no record, or none that can be read. */
async function readRecord(state: string): Promise<VaultRecord | undefined> {
  return recordIn(await readFile(`${state}/${recordFile}`, 'utf8').catch(() => undefined));
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
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

function writeRecord(state: string, record: VaultRecord): Promise<void> {
  return replacePrivateFile(`${state}/${recordFile}`, JSON.stringify(record));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // Nothing was ever kept.
  }
}

/**
 * Tells the lock files of vaults that lie around the one at a real path, whenever asked. Every vault that was ever
 * opened has a folder for its state; one that has not written yet has no lock file in it, but may
 * be about to: its file is answered too, for whoever locks it to make.
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
