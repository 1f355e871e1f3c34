import { limits } from '../../../base/limits.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { folderOf } from '../../../base/vault-path.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Draft } from '../../vault/draft.ts';
import { checkParent } from './raw-target.ts';

/**
 * Puts bytes at the end of a file, behind a symlink if it is one, or makes the file, but not its
 * folder. Fails with `is_a_folder`, with `not_found` where the folder is missing or a symlink leads
 * nowhere, and with `too_large` for a file that history could not keep.
 */
export async function rawAppend(
  draft: Draft,
  { path, bytes }: { readonly path: VaultFolder; readonly bytes: Uint8Array },
): Promise<{ readonly at: VaultPath }> {
  const files = seenFiles(draft.vault);
  const real = path === '' ? '' : await files.real(path);
  if (path === '' || real === '') throw rawError('is_a_folder', path, 'is a folder');
  if (real === undefined) return appendToNew(draft, { path, bytes });
  if (bytes.length === 0 && (await files.stat(real))?.kind === 'file') return { at: real };
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
