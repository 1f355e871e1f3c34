import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { linksOf } from '../../links/link-style.ts';
import { fileKind } from '../../ports/file-kind.ts';
import { factsOf } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
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
  // One file after the other, because many large files at once would fill the memory.
  for (const [source, links] of written) {
    if (vault.caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
    lines.push(...(await linesOf(vault, source, { links, charsMax })));
  }
  return { path, total, lines: lines.slice(0, limit) };
}

/**
 * Returns the lines of a file that contain one of these link paths. The index says which paths lead
 * to the target, but where they stand is read from the file, because it may have changed since.
 */
async function linesOf(
  vault: BoundVault,
  source: VaultPath,
  { links, charsMax }: { readonly links: ReadonlySet<string>; readonly charsMax: number },
): Promise<readonly BacklinkLine[]> {
  const text = await textOf(vault, source);
  const lines = new LineIndex(text);
  return linksOf(factsOf(fileKind(source), text))
    .filter(({ path }) => links.has(path))
    .map(({ range }) => {
      const line = lines.lineAt(range.start);
      const start = lines.startOf(line);
      const end = line + 1 < lines.count ? lines.startOf(line + 1) : text.length;
      const whole = text.slice(start, end).replace(/[\r\n]+$/, '');
      return { path: source, line: line + 1, text: around(whole, range.start - start, charsMax) };
    })
    .sort((a, b) => a.line - b.line);
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

/** Cuts a line to `charsMax` characters around a column, with `…` where something is left out. */
function around(line: string, column: number, charsMax: number): string {
  if (line.length <= charsMax) return line;
  const start = Math.max(0, Math.min(column - charsMax / 2, line.length - charsMax));
  const shown = line
    .slice(start, start + charsMax)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > 0 ? '…' : ''}${shown}${start + charsMax < line.length ? '…' : ''}`;
}
