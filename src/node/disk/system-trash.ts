import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { limits } from '../../base/limits.ts';
import { extensionOf, fileNameOf, stemOf, type VaultPath } from '../../base/vault-path.ts';
import type { Clock, SystemTrash } from '../../engine/ports/ports.ts';
import { diskError, errnoOf } from '../system/disk-error.ts';
import { nodeClock } from '../system/node-ports.ts';

const ownerOnly = { folder: 0o700, file: 0o600 };
/** A number and `.trashinfo` have to fit behind the name. */
const nameBytesMax = limits.segmentBytesMax - 20;
/** Names are tried in turn; a trash with so many of one name is broken. */
const namesMax = 100_000;

/**
 * The trash of the user who runs the program, for the vault at `root`: on Linux by the
 * freedesktop.org convention, which every desktop shows. Elsewhere, and where its folder cannot
 * be made, there is none. Copies are durable when `put` answers; on failure none is left.
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

async function putCopy(
  trash: string,
  { path, bytes, info }: { path: VaultPath; bytes: Uint8Array; info: string },
): Promise<{ where: string; takeBack: () => Promise<void> }> {
  for (const name of namesFor(fileNameOf(path))) {
    const infoPath = `${trash}/info/${name}.trashinfo`;
    const filePath = `${trash}/files/${name}`;
    // Whoever makes the file with the information first has the name, says the convention.
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
      await unlink(infoPath).catch(() => {}); // What failed first has to be known.
      throw error;
    }
    await unlink(infoPath); // A file that lost its information has the name.
  }
  throw new Error('The trash of the system has no name left');
}

async function removeBoth(path: VaultPath, files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      await unlink(file);
    } catch (error) {
      // Someone emptied the trash meanwhile: it is gone, as it should be.
      if (errnoOf(error) !== 'ENOENT') throw diskError(path, error, 'write');
    }
  }
}

/** Makes a file with these bytes, durable; answers false when the name is taken. */
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
  // The standard says to ignore a folder that is not absolute.
  if (data?.startsWith('/')) return `${data}/Trash`;
  return `${env['HOME'] || homedir()}/.local/share/Trash`;
}

/** `Note.md`, `Note.2.md`, `Note.3.md` …, cut so that each fits on the disk. */
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
  // Half a surrogate pair cannot be encoded; through bytes it becomes what the disk has.
  return Buffer.from(path).toString().split('/').map(encodeURIComponent).join('/');
}

/** The time on the clock on the wall, as `YYYY-MM-DDThh:mm:ss`. */
function localTime(timeMs: number): string {
  const time = new Date(timeMs);
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
