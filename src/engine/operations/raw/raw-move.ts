import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { isInside, joinPath, trashFolder } from '../../../base/vault-path.ts';
import { freePath } from '../../notes/free-path.ts';
import { rawError } from '../../ports/raw-disk.ts';
import type { Draft } from '../../vault/draft.ts';
import { seenFiles } from './seen-files.ts';

/**
 * Moves a file, a symlink or a folder as POSIX `rename` does; see `RawDraft.move`. No link in a
 * note is rewritten. Fails with `not_found`, with `io_failed` for the vault itself, and with
 * `already_exists` when a file would replace it.
 */
export async function rawMove(
  draft: Draft,
  { from, to }: { readonly from: VaultFolder; readonly to: VaultFolder },
): Promise<{ readonly at: VaultPath }> {
  if (from === '') throw rawError('io_failed', from, 'is the vault itself and cannot be moved');
  const files = seenFiles(draft.vault);
  const source = await files.canonical(from);
  const kind = (await files.entry(source))?.kind;
  if (kind === undefined) throw rawError('not_found', from, 'does not exist');
  if (to === '' && kind === 'folder') {
    throw rawError('io_failed', from, 'cannot be moved onto the vault itself');
  }
  if (to === '') throw rawError('already_exists', to, 'is a folder; choose another name');
  const at = await files.canonical(to);
  await draft.raw.move(source, at);
  return { at };
}

/**
 * Moves a file, a symlink or a folder into the vault's `.trash/`, to the same path there or a free
 * name beside it, so that what is already in the trash stays. Fails with `not_found`, with
 * `invalid_input` for the vault itself, and with `io_failed` for the trash and what is in it.
 */
export async function rawTrash(
  draft: Draft,
  { path }: { readonly path: VaultFolder },
): Promise<object> {
  if (path === '') throw rawError('invalid_input', path, 'is the vault itself and cannot be moved');
  const files = seenFiles(draft.vault);
  const from = await files.canonical(path);
  if (from === trashFolder || isInside(from, trashFolder)) {
    throw rawError('io_failed', path, 'is in the trash already');
  }
  if ((await files.entry(from)) === undefined) throw rawError('not_found', path, 'does not exist');
  const to = await files.canonical(joinPath(trashFolder, path));
  await draft.raw.move(from, await freePath(draft, to));
  return {};
}
