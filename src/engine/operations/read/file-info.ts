import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { extensionOf, stemOf } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import { fileKind, isParsed } from '../../ports/file-kind.ts';
import type { Page, PageRequest } from '../../ports/index-store.ts';
import type { FileKind, HeadingRecord } from '../../ports/records.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { notFound } from '../../vault/not-found.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** What the disk knows about a file, with its tags and aliases. */
interface FileInfo {
  readonly path: VaultPath;
  /** Without the extension. */
  readonly name: string;
  /** Without the dot, in lower case. */
  readonly extension: string;
  readonly kind: FileKind;
  readonly bytes: number;
  readonly createdMs: number;
  readonly modifiedMs: number;
  /**
   * Absent for attachments, for files that are too large, and for files that are not on this disk.
   */
  readonly version?: Version;
  /** With `#`, each once; absent where there are none. */
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
}

/**
 * Reads what the disk knows about a file now, and for a note, canvas or base also its tags and
 * aliases. Fails with `not_found` or `ambiguous` when the name does not lead to one file.
 */
export async function fileInfo(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<FileInfo> {
  const path = await findNote(vault, request.name);
  const stat = await vault.stat(path);
  if (stat === undefined) throw notFound(path);
  const kind = fileKind(path);
  const isRead = isParsed(kind) && stat.present && stat.size <= limits.noteBytesMax;
  return {
    path,
    name: stemOf(path),
    extension: extensionOf(path),
    kind,
    bytes: stat.size,
    createdMs: Math.round(stat.birthMs),
    modifiedMs: Math.round(stat.mtimeMs),
    ...(isRead ? await textInfo(vault, path) : {}),
  };
}

async function textInfo(vault: BoundVault, path: VaultPath) {
  const { text, version } = await vault.readText(path);
  const { tags, aliases } = await vault.work('labels', text, fileKind(path));
  return {
    version,
    ...(tags.length > 0 ? { tags } : {}),
    ...(aliases.length > 0 ? { aliases } : {}),
  };
}

/**
 * Counts the words and characters of a note now, without its properties. Fails with `invalid_input`
 * for a file that is not a note, and with `not_found` or `ambiguous` when the name does not lead to
 * one file.
 */
export async function countWords(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ readonly path: VaultPath; readonly words: number; readonly characters: number }> {
  const path = await findNote(vault, request.name);
  checkMarkdown(path);
  const { text } = await vault.readText(path);
  return { path, ...(await vault.work('words', text)) };
}

/**
 * Lists some of the headings of a note as it is on disk now; lines count from 1. Fails as
 * `countWords` does.
 */
export async function readOutline(
  vault: BoundVault,
  { name, ...page }: PageRequest & { readonly name: NoteName },
): Promise<{ readonly path: VaultPath } & Page<HeadingRecord>> {
  const path = await findNote(vault, name);
  checkMarkdown(path);
  const { text } = await vault.readText(path);
  return { path, ...(await vault.work('headings', text, page)) };
}
