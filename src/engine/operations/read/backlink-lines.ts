import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { LinkingLine } from '../../ports/note-work.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { Turns } from '../../vault/turns.ts';
import { listBacklinks } from '../list/list-links.ts';

/** A line that contains a link to the file. */
interface BacklinkLine extends LinkingLine {
  readonly path: VaultPath;
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
    const text = await textNow(vault, source);
    const wanted = { kind: fileKind(source), links, limit: limit - lines.length, charsMax };
    for (const line of await vault.work('linkingLines', text, wanted)) {
      lines.push({ path: source, ...line });
    }
  }
  return { path, total, lines };
}

/** Reads a file; returns an empty text when it no longer exists or cannot be read. */
export async function textNow(vault: BoundVault, path: VaultPath): Promise<string> {
  try {
    return (await vault.readText(path)).text;
  } catch (error) {
    if (error instanceof VaultError && unread.has(error.code)) return '';
    throw error;
  }
}

const unread: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'too_large', 'is_a_folder']);
