import type { TextRange } from '../../../base/text-range.ts';
import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { linksOf } from '../../links/link-style.ts';
import { fileKind } from '../../ports/file-kind.ts';
import { factsOf } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { Turns } from '../../vault/turns.ts';
import { listBacklinks } from '../list/list-links.ts';

/** A line that contains a link to the file. */
interface BacklinkLine {
  readonly path: VaultPath;
  /** Counted from 1. */
  readonly line: number;
  /** The line without its line end; of a long line, the part around the link. */
  readonly text: string;
}

/**
 * Returns the lines with links to a file, ordered by the files that contain them, as they are on
 * disk now. `total` counts all links that the index knows. Fails with `not_found` or `ambiguous`
 * when the name does not lead to one file.
 */
export async function backlinkLines(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly limit: number; readonly charsMax: number },
): Promise<{
  readonly path: VaultPath;
  readonly total: number;
  readonly lines: readonly BacklinkLine[];
}> {
  const { limit, charsMax } = request;
  const { path, total, items } = await listBacklinks(vault, { ...request, offset: 0 });
  const written = new Map<VaultPath, Set<string>>();
  for (const { source, path: link } of items) {
    written.set(source, (written.get(source) ?? new Set()).add(link));
  }
  const lines: BacklinkLine[] = [];
  const turns = new Turns(vault);
  // One file after the other, because many large files at once would fill the memory.
  for (const [source, links] of written) {
    if (lines.length >= limit) break;
    await turns.next();
    const text = await textOf(vault, source);
    const wanted = { links, limit: limit - lines.length, charsMax };
    for (const line of linkingLines({ path: source, text }, wanted)) {
      lines.push({ path: source, ...line });
    }
  }
  return { path, total, lines };
}

/**
 * Returns the first lines of a file that contain one of these link paths, one for each link. The
 * index says which paths lead to the target, but where they stand is read from the file, because it
 * may have changed since.
 */
function linkingLines(
  file: { readonly path: VaultPath; readonly text: string },
  wanted: {
    readonly links: ReadonlySet<string>;
    readonly limit: number;
    readonly charsMax: number;
  },
): readonly Omit<BacklinkLine, 'path'>[] {
  const { text } = file;
  const lines = new LineIndex(text);
  return linksOf(factsOf(fileKind(file.path), text))
    .filter(({ path }) => wanted.links.has(path))
    .map(({ range }) => ({ start: range.start, line: lines.lineAt(range.start) }))
    .sort((a, b) => a.line - b.line)
    .slice(0, wanted.limit)
    .map(({ start, line }) => ({
      line: line + 1,
      text: around(text, lineRange(text, lines, line), start, wanted.charsMax),
    }));
}

/** Where a line (counted from 0) begins and ends, without its line end. */
function lineRange(text: string, lines: LineIndex, line: number): TextRange {
  const start = lines.startOf(line);
  let end = line + 1 < lines.count ? lines.startOf(line + 1) : text.length;
  while (end > start && /[\r\n]/.test(text.charAt(end - 1))) end--;
  return { start, end };
}

/** Reads a file; returns an empty text when it no longer exists or cannot be read. */
async function textOf(vault: BoundVault, path: VaultPath): Promise<string> {
  try {
    return (await vault.readText(path)).text;
  } catch (error) {
    if (error instanceof VaultError && unread.has(error.code)) return '';
    throw error;
  }
}

const unread: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'too_large', 'is_a_folder']);

/**
 * Cuts a line to `charsMax` characters around an offset, with `…` where something is left out.
 * Looks at no other part of the line: a line may be as long as the note.
 */
function around(text: string, line: TextRange, offset: number, charsMax: number): string {
  if (line.end - line.start <= charsMax) return text.slice(line.start, line.end);
  const start = Math.max(line.start, Math.min(offset - charsMax / 2, line.end - charsMax));
  const shown = text
    .slice(start, start + charsMax)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > line.start ? '…' : ''}${shown}${start + charsMax < line.end ? '…' : ''}`;
}
