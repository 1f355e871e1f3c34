import type { ChangeName } from '../../../base/change-name.ts';
import { groupedNumber } from '../../../base/grouped-number.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { changeFiles, fileSpans } from '../../change/change-files.ts';
import { changeNamer } from '../../change/change-names.ts';
import { historySees } from '../../change/change-row.ts';
import { changeIds } from '../../history/change-ids.ts';
import type { Undone } from '../../history/undo-history.ts';
import { NothingRestored, NotTogether } from '../../history/undo-history.ts';
import type { ChangeId, StoredChange } from '../../ports/state-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { ChangeReport } from '../../vault/draft.ts';
import { linksMissing } from './change-texts.ts';
import type { UndoRequest } from './undo-changes.ts';
import { chosenChanges, undoChanges } from './undo-changes.ts';

/**
 * What an undo did, and the names of the changes that it made, in order; the last one is also
 * `change`.
 */
type UndoneSelection = Omit<Undone, 'undone'> &
  ChangeReport & {
    readonly undone: readonly ChangeName[];
    readonly changes: readonly ChangeName[];
  };

/** The same while the undone changes still go by their numbers. */
type UndoneInTurn = Omit<UndoneSelection, 'undone'> & Undone;

/** Gets what an undo would do, and returns whether to do it. */
type ConfirmUndo = (preview: UndoneSelection) => Promise<boolean>;

/**
 * Undoes changes as `undoChanges` does, in a single new change if possible. Where folders moved in
 * between, it makes several changes, one after the other and newest first, each all or nothing;
 * when a later one fails, the failure says what is undone already. A dry run shows all of them as
 * one.
 * `confirm` is called before an undo whose changes the request neither names nor counts: the last
 * one, or all that match a filter. When it returns false, the undo fails with `cancelled`. Changes made
 * after that question are not undone.
 */
export async function undoSelection(
  vault: BoundVault,
  { confirm, ...request }: UndoRequest & { readonly confirm?: ConfirmUndo },
): Promise<UndoneSelection> {
  const { names, last, dryRun } = request;
  if (confirm === undefined || dryRun === true || names !== undefined || last !== undefined) {
    return undoChosen(vault, request);
  }
  const preview = await undoChosen(vault, { ...request, dryRun: true });
  if (await confirm(preview)) return undoChosen(vault, { names: preview.undone });
  throw new VaultError('cancelled', 'Nothing was changed.');
}

async function undoChosen(vault: BoundVault, request: UndoRequest): Promise<UndoneSelection> {
  const changes = await chosenChanges(vault, request);
  const { paths } = request;
  if (paths !== undefined) checkTouched(changes, paths);
  const ids = changes.map(({ id }) => id);
  const answer =
    request.dryRun === true
      ? await previewUndo(vault, ids, paths)
      : await withLinksLost(vault, await undoInTurn(vault, ids, paths));
  return { ...answer, undone: answer.undone.map(await changeNamer(vault)) };
}

/**
 * Warns of links that were written after a rename which is now undone: nothing has changed them, so
 * they lead nowhere.
 */
async function withLinksLost(vault: BoundVault, answer: UndoneInTurn): Promise<UndoneInTurn> {
  const left = answer.files.flatMap(({ from }) => from ?? []).slice(0, limits.changeTextsFilesMax);
  const counts = left.length === 0 ? [] : await linksMissing(vault, left, 'facts');
  const lost = left.flatMap((path, at) => {
    const links = counts[at] ?? 0;
    if (links === 0) return [];
    const which = links === 1 ? '1 link still has' : `${groupedNumber(links)} links still have`;
    return `${which} the name "${path}", which is undone, and ${links === 1 ? 'leads' : 'lead'} nowhere now.`;
  });
  return { ...answer, warnings: [...answer.warnings, ...lost] };
}

/** Fails with `not_found` when none of the changes is about one of the paths. */
function checkTouched(changes: readonly StoredChange[], paths: readonly string[]): void {
  const touched = new Set(
    changes.flatMap(({ steps }) => fileSpans(steps).flatMap(({ from, to }) => [from, to])),
  );
  for (const path of paths) {
    if (touched.has(path as VaultPath)) continue;
    throw new VaultError('not_found', `None of these changes is about "${path}".`, {
      details: { path },
    });
  }
}

/** What an undo would do. Where folders moved in between, looks at each file by itself. */
async function previewUndo(
  vault: BoundVault,
  ids: readonly ChangeId[],
  paths: UndoRequest['paths'],
): Promise<UndoneInTurn> {
  const preview = (fileByFile: boolean) =>
    vault.change(undoChanges, { ids, paths, fileByFile, dryRun: true });
  const answer = await preview(false).catch((error: unknown) => {
    if (error instanceof NotTogether) return preview(true);
    throw error;
  });
  return { ...answer, changes: [] };
}

/** Undoes all changes at once, or, where that fails with `NotTogether`, in smaller groups. */
async function undoInTurn(
  vault: BoundVault,
  ids: readonly ChangeId[],
  paths: UndoRequest['paths'],
): Promise<UndoneInTurn> {
  const done: (Undone & ChangeReport)[] = [];
  const left: Undone['left'][number][] = [];
  const groups = [ids];
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    try {
      done.push(await vault.change(undoChanges, { ids: group, paths }));
    } catch (error) {
      if (error instanceof NotTogether) groups.unshift(error.first, error.rest);
      else if (error instanceof NothingRestored) left.push(...error.left);
      else throw failedAfter(done, error, await changeNamer(vault));
    }
  }
  if (done.length === 0) throw new NothingRestored(left);
  return joinResults(vault, done, left);
}

/** Joins the results of several undos into one: for every file, what became of it in the end. */
async function joinResults(
  vault: BoundVault,
  done: readonly (Undone & ChangeReport)[],
  left: Undone['left'],
): Promise<UndoneInTurn> {
  const changes = done.flatMap(({ change }) => change ?? []);
  const last = changes.at(-1);
  const [only] = done;
  return {
    undone: done.flatMap(({ undone }) => undone),
    restored: unique(done.flatMap(({ restored }) => restored)),
    merged: unique(done.flatMap(({ merged }) => merged)),
    left: [...done.flatMap((answer) => answer.left), ...left],
    changes,
    ...(last === undefined ? {} : { change: last }),
    dryRun: false,
    files: only !== undefined && changes.length <= 1 ? only.files : await filesOf(vault, changes),
    kept: unique(done.flatMap(({ kept }) => kept)),
    warnings: unique(done.flatMap(({ warnings }) => warnings)),
  };
}

async function filesOf(
  vault: BoundVault,
  names: readonly ChangeName[],
): Promise<ChangeReport['files']> {
  const ids = Array.from((await changeIds(vault, names)).values());
  const { items } = await vault.history.changes({ ids }, { limit: ids.length, offset: 0 });
  const inOrder = items.toSorted((a, b) => a.id - b.id);
  return changeFiles(
    inOrder.flatMap(({ steps }) => steps),
    historySees(vault),
  );
}

function unique<Item>(items: readonly Item[]): Item[] {
  return Array.from(new Set(items));
}

/** Adds to a failure which changes were undone before it. */
function failedAfter(
  done: readonly (Undone & ChangeReport)[],
  error: unknown,
  nameOf: (id: ChangeId) => ChangeName,
): unknown {
  if (done.length === 0 || !(error instanceof VaultError)) return error;
  const undone = done.flatMap((answer) => answer.undone).map(nameOf);
  return new VaultError(
    error.code,
    `${undone.length === 1 ? 'Change' : 'Changes'} ${undone.join(', ')} had been undone already when the rest failed: ${error.message}`,
    { cause: error, details: { ...error.details, undone } },
  );
}
