import type { ChangeName } from '../../../base/change-name.ts';
import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { isInside, trashFolder } from '../../../base/vault-path.ts';
import type { FileSpan, SeesSpan } from '../../change/change-files.ts';
import { fileSpans } from '../../change/change-files.ts';
import type { ChangeRow } from '../../change/change-row.ts';
import { historySees } from '../../change/change-row.ts';
import { changeIds, noSuchChange } from '../../history/change-ids.ts';
import { readEnds } from '../../history/read-ends.ts';
import { shownChanges } from '../../history/shown-changes.ts';
import type { FileDiff } from '../../ports/note-work.ts';
import type { StateStore, TailStep } from '../../ports/state-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** A deleted file, and where it was put in the trash. */
interface Trashed {
  readonly path: VaultPath;
  readonly to: VaultPath;
}

/**
 * Returns one change of the history with a unified diff of the files that the caller may see, and
 * where the deleted ones were put, if into the vault's own trash. Fails with `not_found` when the
 * history has no such change, or the caller may see none of its files.
 */
export async function showChange(
  vault: BoundVault,
  { id: name }: { readonly id: ChangeName },
): Promise<ChangeRow & { readonly diff: string; readonly trashed: readonly Trashed[] }> {
  const id = (await changeIds(vault, [name])).get(name);
  const ids = id === undefined ? [] : [id];
  const { items } = await vault.history.changes({ ids }, { limit: 1, offset: 0 });
  const [change] = items;
  const [row] = await shownChanges(vault, items);
  if (change === undefined || row === undefined) throw noSuchChange([name]);
  const sees = historySees(vault);
  // A diff is about files; an empty folder would look like an empty file.
  const files = fileSpans(change.steps).filter(
    ({ isFolder, from, to }) => !isFolder || (from && to),
  );
  const spans = files.flatMap((span) => seenEnds(span, sees) ?? []);
  const trashed = spans.flatMap(({ from, to }): Trashed[] =>
    from && to && isInside(to, trashFolder) && !isInside(from, trashFolder)
      ? [{ path: from, to }]
      : [],
  );
  return { ...row, diff: await spansDiff(vault, spans), trashed };
}

/**
 * Joins the diffs (see `FileSpan`) of as many files as may be shown, and says how many files are
 * left out.
 */
async function spansDiff(vault: BoundVault, spans: readonly FileSpan[]): Promise<string> {
  const diffs: string[] = [];
  let chars = 0;
  for (const [index, span] of spans.entries()) {
    const diff = await spanDiff(vault, span);
    chars += diff.length;
    if (chars > limits.diffCharsMax && index > 0) {
      diffs.push(`${spans.length - index} more files are not shown: the diff is too long.\n`);
      break;
    }
    diffs.push(diff);
  }
  return diffs.join('');
}

async function spanDiff(vault: BoundVault, span: FileSpan): Promise<string> {
  const { state } = vault.vault.parts;
  const { from, to, before, after } = withoutTrash(span);
  const paths = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  if (span.tails !== undefined) return endsDiff(vault, { ...paths, tails: span.tails });
  // A file that was only moved has the same content before and after: the diff needs no content.
  if (before === after) return vault.work('diff', paths);
  const contents: Pick<FileDiff, 'before' | 'after'> = {
    ...(await contentOf(state, 'before', before)),
    ...(await contentOf(state, 'after', after)),
  };
  const path = to ?? from;
  if (path !== undefined) vault.hasRead(path, contents.before, contents.after);
  const lost =
    (before !== undefined && contents.before === undefined) ||
    (after !== undefined && contents.after === undefined);
  return vault.work('diff', lost ? { ...paths, lost } : { ...paths, ...contents });
}

/**
 * A file that goes to the trash, or comes back from there, as a file that goes or comes: its text is
 * what a reader wants to see, and the trash is not.
 */
function withoutTrash(span: FileSpan): Pick<FileSpan, 'from' | 'to' | 'before' | 'after'> {
  const { from, to, before, after } = span;
  const isTrash = (path: VaultPath | undefined): boolean =>
    path !== undefined && isInside(path, trashFolder);
  if (from === undefined || to === undefined || isTrash(from) === isTrash(to)) return span;
  // The text of an attachment is not kept when it moves.
  if (isTrash(to)) return before === undefined ? span : { from, before };
  return after === undefined ? span : { to, after };
}

/** The diff of a file of which only the end was changed, and no version computed. */
async function endsDiff(
  vault: BoundVault,
  { tails, ...paths }: Pick<FileSpan, 'from' | 'to'> & { readonly tails: readonly TailStep[] },
): Promise<string> {
  const ends = await readEnds(vault.vault.parts.state, tails);
  if (ends === undefined) return vault.work('diff', { ...paths, lost: true });
  const { from: endFrom, before, after } = ends;
  if (paths.to !== undefined) vault.hasRead(paths.to, before, after);
  return vault.work('diff', { ...paths, endFrom, before, after });
}

async function contentOf(
  state: StateStore,
  side: 'before' | 'after',
  version: FileSpan['before'],
): Promise<{ readonly before?: Uint8Array; readonly after?: Uint8Array }> {
  const bytes = version === undefined ? undefined : await state.content(version);
  return bytes === undefined ? {} : { [side]: bytes };
}

/**
 * Removes from a file's change what the caller may not see; undefined when nothing is left. A path
 * in the trash is shown with the note that was moved there.
 */
function seenEnds(span: FileSpan, sees: SeesSpan): FileSpan | undefined {
  const { from, to, before, after, tails } = span;
  const isSeen = (path: VaultPath | undefined): path is VaultPath =>
    path !== undefined && sees(path, span);
  const isTrash = (path: VaultPath | undefined): path is VaultPath =>
    path !== undefined && isInside(path, trashFolder);
  if (!isSeen(from) && !isSeen(to)) return undefined;
  return {
    ...(tails === undefined ? {} : { tails }),
    ...(isSeen(from) || isTrash(from) ? { from, ...(before === undefined ? {} : { before }) } : {}),
    ...(isSeen(to) || isTrash(to) ? { to, ...(after === undefined ? {} : { after }) } : {}),
  };
}
