import { limits } from '../../../base/limits.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { folderOf } from '../../../base/vault-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { RawDisk } from '../../ports/raw-disk.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { FileStat } from '../../ports/records.ts';
import type { Draft } from '../../vault/draft.ts';
import { checkMtime } from './raw-read.ts';
import { seenFiles } from './seen-files.ts';

/**
 * Writes these bytes to a file, which is created with its folders if need be. Fails with `conflict`
 * when the file exists and has another modification time than expected (0 accepts any), and as
 * `rawTarget` does.
 */
export async function rawWrite(
  draft: Draft,
  request: {
    readonly path: VaultFolder;
    readonly bytes: Uint8Array;
    readonly expectedMtimeMs: number;
  },
): Promise<{ readonly at: VaultPath }> {
  const { path, bytes, expectedMtimeMs } = request;
  const files = seenFiles(draft.vault);
  const at = await rawTarget(files, path);
  await draft.raw.put(at, bytes);
  // Checked after `put`: a file that changes after `put` has looked at it makes the plan start again.
  const stat = expectedMtimeMs === 0 ? undefined : await files.stat(at);
  if (stat !== undefined) checkMtime(at, stat, expectedMtimeMs);
  return { at };
}

/**
 * Adds bytes to the end of a file, or of the file behind a symlink. Creates the file if need be,
 * but not its folder. A file over `limits.appendWholeBytesMax` is changed in place, which costs what
 * is added. Fails with `is_a_folder`, with `not_found` when the folder is missing or a symlink leads
 * nowhere, and with `too_large` when the history cannot keep what is added.
 */
export async function rawAppend(
  draft: Draft,
  { path, bytes }: { readonly path: VaultFolder; readonly bytes: Uint8Array },
): Promise<{ readonly at: VaultPath }> {
  const files = seenFiles(draft.vault);
  const real = path === '' ? '' : await files.real(path);
  if (path === '' || real === '') throw rawError('is_a_folder', path, 'is a folder');
  if (real === undefined) return appendToNew(draft, { path, bytes });
  const stat = await draft.vault.vault.parts.disk.stat(real);
  if (bytes.length === 0 && stat !== undefined) return { at: real };
  if (stat !== undefined && isInPlace(draft, real, stat)) {
    if (bytes.length > limits.historyContentBytesMax) {
      throw rawError('too_large', path, 'cannot be given so much at once; append it in parts');
    }
    await draft.raw.append(real, bytes);
    return { at: real };
  }
  const before = await draft.readBytes(real, limits.historyContentBytesMax);
  const length = before.bytes.length + bytes.length;
  if (length > limits.historyContentBytesMax) {
    throw rawError('too_large', path, 'would become too large to append to; begin another file');
  }
  const joined = new Uint8Array(length);
  joined.set(before.bytes);
  joined.set(bytes, before.bytes.length);
  await draft.raw.put(real, joined);
  return { at: real };
}

/**
 * Whether a file is appended to in place. A note is not, for a caller from whom marks hide notes:
 * whether it has one, or would get one, shows in its whole text. None is where machines share the vault.
 */
function isInPlace({ vault }: Draft, path: VaultPath, { size, present }: FileStat): boolean {
  if (vault.vault.parts.disk.gate !== undefined) return false;
  const needsText = vault.view().marks !== undefined && fileKind(path) === 'note';
  return present && size > limits.appendWholeBytesMax && !needsText;
}

async function appendToNew(
  draft: Draft,
  { path, bytes }: { readonly path: VaultPath; readonly bytes: Uint8Array },
): Promise<{ readonly at: VaultPath }> {
  const files = seenFiles(draft.vault);
  const at = await files.canonical(path);
  if ((await files.entry(at))?.kind === 'symlink') {
    throw rawError('not_found', path, 'is a symlink that leads nowhere');
  }
  await checkParent(files, folderOf(at));
  await draft.raw.put(at, bytes);
  return { at };
}

/**
 * Copies a file to another path, replaces what is there, and creates the folders that are needed.
 * Copying a file onto itself does nothing. Fails with `not_found`, `is_a_folder` or `too_large` for
 * the source, and as `rawTarget` does for the target.
 */
export async function rawCopy(
  draft: Draft,
  { from, to }: { readonly from: VaultFolder; readonly to: VaultFolder },
): Promise<{ readonly at: VaultPath }> {
  if (from === '') throw rawError('is_a_folder', from, 'is a folder; copy its files one by one');
  const files = seenFiles(draft.vault);
  const { bytes } = await files.read(from, { bytesMax: limits.changeBytesMax });
  const at = await rawTarget(files, to);
  if ((await files.real(from)) !== at) await draft.raw.put(at, bytes);
  return { at };
}

/**
 * Makes a folder, and with `recursive` also the folders above it. A folder that exists is not a
 * failure. Where there is a file, fails with `already_exists`, or with `not_a_folder` if
 * `recursive` is set, as `mkdir -p` does, and with `not_found` when a folder above it is missing
 * and `recursive` is not set.
 */
export async function rawMakeFolder(
  draft: Draft,
  { path, recursive }: { readonly path: VaultFolder; readonly recursive: boolean },
): Promise<object> {
  if (path === '') return {};
  const files = seenFiles(draft.vault);
  const at = await files.canonical(path);
  const stat = await files.stat(at);
  if (stat?.kind === 'folder') return {};
  if (stat !== undefined && recursive) throw rawError('not_a_folder', path, 'is a file');
  if (stat !== undefined) throw rawError('already_exists', path, 'exists already and is a file');
  if ((await files.entry(at)) !== undefined) {
    throw rawError('already_exists', path, 'exists already: a symlink that leads nowhere');
  }
  if (!recursive) await checkParent(files, folderOf(at));
  await draft.raw.makeFolder(at);
  return {};
}

/**
 * Returns where a new file goes: its own name, in the real folder behind any symlinks. Fails with
 * `already_exists` when there is a folder, also behind a symlink, and with `outside_vault` when
 * there is a symlink that leads out of the vault, because a caller who writes there does not mean
 * to replace it.
 */
async function rawTarget(files: RawDisk, path: VaultFolder): Promise<VaultPath> {
  if (path !== '') {
    const at = await files.canonical(path);
    if ((await files.stat(at))?.kind !== 'folder') return at;
  }
  throw rawError('already_exists', path, 'is a folder; choose another name');
}

/** Checks that the folder for a new file exists; fails with `not_found` or `not_a_folder`. */
async function checkParent(files: RawDisk, folder: VaultFolder): Promise<void> {
  const kind = (await files.stat(folder))?.kind;
  if (kind === 'folder') return;
  if (kind === undefined) throw rawError('not_found', folder, 'does not exist; make it first');
  throw rawError('not_a_folder', folder, 'is a file, not a folder');
}
