import type { VaultPath } from '../../base/vault-path.ts';
import { isInside, trashFolder, vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { FileSpan } from '../change/change-files.ts';
import { fileSpans, mayBeKept } from '../change/change-files.ts';
import { historySees } from '../change/change-row.ts';
import type { StoredChange } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { readHistory } from './read-history.ts';

/** A content that a file had at some time. */
export interface FileState {
  /** Absent where a change only added to the end of a large file, or cut it: see `TailStep`. */
  readonly content?: Version;
  /** Where the file was then. */
  readonly path: VaultPath;
  /** When a change wrote it; for a content by another program, when a change last found it. */
  readonly timeMs: number;
  /** The change that wrote it; absent when another program wrote it. */
  readonly change?: StoredChange;
}

/**
 * The contents of a file that history knows, newest first: those that changes wrote, and those that
 * changes found and that other programs had written. Follows the file to its earlier paths, also
 * through the trash and to a deleted file of that name, as far as the caller may see them. Reads
 * history from its newest change on.
 */
export async function* fileHistory(vault: BoundVault, path: VaultPath): AsyncGenerator<FileState> {
  const sees = historySees(vault);
  /** Where the file was after the change that is being looked at. */
  let at = path;
  /**
   * A content that a later change found in the file. Unless an earlier change turns out to have
   * written it, another program has, and it is answered as well.
   */
  let found: FileState | undefined;
  for await (const change of readHistory(vault.history, {})) {
    const span = spanAt(change, at);
    if (span === undefined) continue;
    // The file was a symlink then, to a file that the caller may not see.
    if (span.leadsTo !== undefined && !sees(span.leadsTo)) break;
    const { from, to, before, after } = span;
    const isHere = to === at;
    // The file that was here moved away: so the file that is followed is another, and began later.
    if (!isHere && !isGone(to)) break;
    const { timeMs } = change;
    // The content that this change left or removed. If a later change found another one, another
    // program has written in between.
    const known = isHere ? after : before;
    if (known !== undefined && found?.content !== known) {
      if (found !== undefined) yield found;
      found = undefined;
    }
    if (span.tails !== undefined) {
      if (found !== undefined) yield found;
      found = undefined;
      yield { path: at, timeMs, change };
    }
    if (isHere && after !== undefined && after !== before) {
      yield { content: after, path: at, timeMs, change };
      found = undefined;
    }
    if (from === undefined) continue;
    if (!sees(from) && !isInside(from, trashFolder)) return;
    // The content of a file that only moved was not kept.
    if (before !== undefined && (before !== after || !isHere)) {
      found = { content: before, path: from, timeMs };
    }
    at = from;
  }
  if (found !== undefined) yield found;
}

/** What a change did to the file that was at a path after it, or else before it. */
function spanAt({ steps, kept }: StoredChange, at: VaultPath): FileSpan | undefined {
  // A step whose path is in `kept` did not happen: an outside editor had changed the file.
  const happened = steps.filter((step) => !(mayBeKept(step) && kept.includes(step.path)));
  const spans = fileSpans(happened);
  return (
    spans.find(({ to }) => to === at) ??
    folderSpan(spans, at, 'to') ??
    spans.find(({ from }) => from === at) ??
    folderSpan(spans, at, 'from')
  );
}

/** The span of a file that moved because a folder around it did; the innermost one counts. */
function folderSpan(
  spans: readonly FileSpan[],
  at: VaultPath,
  end: 'from' | 'to',
): FileSpan | undefined {
  let innermost: { readonly from: VaultPath; readonly to: VaultPath } | undefined;
  for (const { from, to } of spans) {
    if (from === undefined || to === undefined) continue;
    const folder = end === 'to' ? to : from;
    if (isInside(at, folder) && folder.length > (innermost?.[end].length ?? 0)) {
      innermost = { from, to };
    }
  }
  if (innermost === undefined) return undefined;
  const rest = at.slice(innermost[end].length);
  return { from: vaultPath(innermost.from + rest), to: vaultPath(innermost.to + rest) };
}

/** Whether a file was deleted, or put into the trash. */
function isGone(to: VaultPath | undefined): boolean {
  return to === undefined || isInside(to, trashFolder);
}
