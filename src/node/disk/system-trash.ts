import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { limits } from '../../base/limits.ts';
import { extensionOf, fileNameOf, stemOf, type VaultPath } from '../../base/vault-path.ts';
import type { Clock, SystemTrash } from '../../engine/ports/ports.ts';
import { diskError, errnoOf } from '../system/disk-error.ts';
import { nodeClock } from '../system/node-ports.ts';

const ownerOnly = { folder: 0o700, file: 0o600 };
/** Leaves room for a number and `.trashinfo` after the name. */
const nameBytesMax = limits.segmentBytesMax - 20;
/** How many names are tried for a file before giving up. */
const namesMax = 100_000;

/**
 * The trash of the user who runs the program, for files of the vault at `root`. On Linux it follows
 * the freedesktop.org convention, which every desktop shows. On other platforms, and where its
 * folder cannot be created, `put` returns undefined. A copy is durable when `put` returns; on
 * failure no copy is left.
 */
export function openSystemTrash({
  root,
  env,
  platform,
  clock = nodeClock,
}: {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly clock?: Clock;
}): SystemTrash {
  return {
    async put(path, bytes) {
      if (platform !== 'linux') return undefined;
      const trash = trashFolder(env);
      if (!(await makeFolders(trash))) return undefined;
      const info = `[Trash Info]\nPath=${encodePath(`${root}/${path}`)}\nDeletionDate=${localTime(clock.nowMs())}\n`;
      try {
        return await putCopy(trash, { path, bytes, info });
      } catch (error) {
        throw diskError(path, error, 'write');
      }
    },
  };
}

/** Writes a copy and its information file under a free name; `takeBack` removes both. */
async function putCopy(
  trash: string,
  { path, bytes, info }: { path: VaultPath; bytes: Uint8Array; info: string },
): Promise<{ where: string; takeBack: () => Promise<void> }> {
  for (const name of namesFor(fileNameOf(path))) {
    const infoPath = `${trash}/info/${name}.trashinfo`;
    const filePath = `${trash}/files/${name}`;
    // By the convention, creating the information file first reserves the name.
    if (!(await writeNew(infoPath, Buffer.from(info)))) continue;
    try {
      if (await writeNew(filePath, bytes)) {
        await syncFolder(`${trash}/files`);
        await syncFolder(`${trash}/info`);
        return {
          where: `the trash of the system, as "${name}"`,
          takeBack: () => removeBoth(path, [filePath, infoPath]),
        };
      }
    } catch (error) {
      await unlink(infoPath).catch(() => {}); // The caller needs to see the first error.
      throw error;
    }
    await unlink(infoPath); // The name is taken by a file whose information file is missing.
  }
  throw new Error('The trash of the system has no name left');
}

async function removeBoth(path: VaultPath, files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      await unlink(file);
    } catch (error) {
      // The user has emptied the trash in the meantime: the file is gone, as it should be.
      if (errnoOf(error) !== 'ENOENT') throw diskError(path, error, 'write');
    }
  }
}

/** Creates a file with these bytes and syncs it; returns false when the name is taken. */
async function writeNew(file: string, bytes: Uint8Array): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', ownerOnly.file);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await unlink(file).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  return true;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeFolders(trash: string): Promise<boolean> {
  try {
    await mkdir(`${trash}/files`, { recursive: true, mode: ownerOnly.folder });
    await mkdir(`${trash}/info`, { recursive: true, mode: ownerOnly.folder });
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function trashFolder(env: Readonly<Record<string, string | undefined>>): string {
  const data = env['XDG_DATA_HOME'];
  // The XDG standard says to ignore a path that is not absolute.
  if (data?.startsWith('/')) return `${data}/Trash`;
  return `${env['HOME'] || homedir()}/.local/share/Trash`;
}

/** `Note.md`, `Note.2.md`, `Note.3.md` …, shortened so that each fits on the disk. */
function* namesFor(name: string): Generator<string> {
  const extension = cut(extensionOf(name) === '' ? '' : name.slice(stemOf(name).length), 100);
  const stem = cut(stemOf(name), nameBytesMax - Buffer.byteLength(extension));
  yield stem + extension;
  for (let number = 2; number <= namesMax; number++) yield `${stem}.${number}${extension}`;
}

function cut(text: string, bytesMax: number): string {
  const characters = Array.from(text);
  while (characters.length > 1 && Buffer.byteLength(characters.join('')) > bytesMax) {
    characters.pop();
  }
  return characters.join('');
}

/** Percent-encoded bytes, slashes kept, as in a URI. */
function encodePath(path: string): string {
  // A lone surrogate cannot be encoded. As bytes it becomes U+FFFD, which is what the disk has.
  return Buffer.from(path).toString().split('/').map(encodeURIComponent).join('/');
}

/** The local time as `YYYY-MM-DDThh:mm:ss`. */
function localTime(timeMs: number): string {
  const time = new Date(timeMs);
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
