import { limits } from '../../../base/limits.ts';
import { LineIndex } from '../../../base/text-range.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { extensionOf, stemOf } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { countWords as countIn } from '../../../markdown/scan/count-words.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import { fileKind, isParsed } from '../../ports/file-kind.ts';
import type { FileKind, HeadingRecord } from '../../ports/records.ts';
import { factsOf } from '../../text/scan-file.ts';
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
  const facts = factsOf(fileKind(path), text);
  const tags = new Set([...facts.propertyTags, ...facts.tags].map(({ tag }) => tag));
  const aliases = facts.aliases.map((alias) => alias.text);
  return {
    version,
    ...(tags.size > 0 ? { tags: Array.from(tags) } : {}),
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
  return { path, ...countIn(text) };
}

/**
 * Lists the headings of a note as it is on disk now; lines count from 1. Fails as `countWords`
 * does.
 */
export async function readOutline(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ readonly path: VaultPath; readonly headings: readonly HeadingRecord[] }> {
  const path = await findNote(vault, request.name);
  checkMarkdown(path);
  const { text } = await vault.readText(path);
  const lines = new LineIndex(text);
  return {
    path,
    headings: scanNote(text).headings.map((heading) => ({
      level: heading.level,
      text: heading.text,
      line: lines.lineAt(heading.range.start) + 1,
    })),
  };
}
