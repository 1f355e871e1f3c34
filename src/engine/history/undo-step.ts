import { limits } from '../../base/limits.ts';
import type { VaultErrorCode } from '../../base/vault-error.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, isInside, pathKey, trashFolder, vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { historySees } from '../change/change-row.ts';
import { freePath } from '../notes/free-path.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { MergedContent } from '../ports/note-work.ts';
import type { ChangeId, ChangeStep, StateStore } from '../ports/state-store.ts';
import { seesAll } from '../ports/view.ts';
import type { Draft } from '../vault/draft.ts';
import type { PathTrail } from './path-trail.ts';
import { readHistory } from './read-history.ts';
import { undoTail } from './undo-tail.ts';

/**
 * How taking back a step ended for its file: `left` means that the file stays as it is. Undefined
 * when there was nothing to do.
 */
export type StepUndone =
  | { readonly did: 'restored' | 'merged'; readonly path: VaultPath }
  | {
      readonly did: 'left';
      readonly path: VaultPath;
      readonly reason: string;
      /**
       * Set when the step did nothing except rewrite links, which can be put back one by one: those
       * that got another last name.
       */
      readonly renamed?: Extract<MergedContent, { renamed: unknown }>['renamed'];
    }
  | undefined;

/** What one undo shares between its steps. */
export interface UndoContext {
  /** The change whose steps are being taken back. */
  readonly change: ChangeId;
  /** Whether the brake counts the files that are written; see `isDestructiveToUndo`. */
  readonly overwrites: boolean;
  readonly draft: Draft;
  readonly state: StateStore;
  /** What happened to paths since the step, through other changes and through this undo. */
  readonly trail: PathTrail;
  /** The files and folders that taking back this change has moved, and the steps that moved them. */
  readonly moved: {
    readonly from: VaultPath;
    readonly to: VaultPath;
    readonly step: Pick<Step<'move'>, 'path' | 'to'>;
  }[];
  /** Folders, by their path now, that are to be removed at the end if they are empty then. */
  readonly drops: Map<VaultPath, { readonly asked?: true }>;
  /** Whether the end of a file is changed in place; see `isUndoneInPlace`. */
  readonly inPlace: boolean;
  /**
   * Folders that this undo has emptied file by file; undefined when it moves folders as a whole.
   */
  readonly emptied: Set<VaultPath> | undefined;
}

/**
 * Thrown when a step cannot be taken back in this change, because that would have to come after
 * folders are moved or removed, which a change does last. In a change of its own it is possible.
 */
export class NeedsOwnChange extends Error {}

type Step<Kind extends ChangeStep['do']> = ChangeStep & { readonly do: Kind };

/**
 * Takes back one step of a change, at the path where its file is now. A file that cannot be
 * restored is left as it is, with the reason. Later steps must have been taken back before. Throws
 * `NeedsOwnChange`.
 */
export async function undoStep(context: UndoContext, step: ChangeStep): Promise<StepUndone> {
  const { vault } = context.draft;
  try {
    const undone = await takeBack(context, step);
    const sees = historySees(vault);
    if (undone?.did !== 'left' || sees(undone.path)) return undone;
    // The caller may not see where the file is now: it has left the place where the caller knew it.
    const path = 'to' in step && sees(step.to) ? step.to : step.path;
    return left(path, (await context.draft.kind(path)) === undefined ? notThere : somethingElse);
  } catch (error) {
    if (!(error instanceof VaultError) || !fileFailures.has(error.code)) throw error;
    // The draft refuses what would have to happen after a folder has moved.
    if (error.code === 'invalid_input') throw new NeedsOwnChange(error.message, { cause: error });
    // Why it may not be touched would tell of files that the caller does not see.
    if (error.code === 'forbidden' && !seesAll(vault.view())) {
      return left(step.path, 'it cannot be restored');
    }
    return left(step.path, error.message.replace(/\.$/, '')); // It becomes part of a sentence.
  }
}

/** Failures that concern one file only: the undo goes on with the others. */
export const fileFailures: ReadonlySet<VaultErrorCode> = new Set([
  'invalid_input',
  'not_found',
  'already_exists',
  'not_a_folder',
  'is_a_folder',
  'forbidden',
  'too_large',
]);

async function takeBack(context: UndoContext, step: ChangeStep): Promise<StepUndone> {
  switch (step.do) {
    case 'write': {
      const { before, from } = step;
      if (before === undefined && step.entry)
        return left(step.path, 'nothing is kept of what was there');
      const undone = await (before === undefined
        ? undoCreate(context, step)
        : undoWrite(context, { ...step, before }));
      if (undone?.did === 'restored' && from !== undefined) {
        context.draft.movedFrom(context.trail.place(from), undone.path);
      }
      return undone;
    }
    case 'append':
    case 'cut':
      return undoTail(context, step);
    case 'delete':
      return undoDelete(context, step);
    case 'move':
      return undoMove(context, step);
    case 'moveFolder':
      return undoMoveFolder(context, step);
    case 'makeFolder':
      context.drops.set(context.trail.now(step.path), step.asked ? { asked: true } : {});
      return undefined;
    case 'dropFolder':
      // The folder was empty. If files come back into it, it is made for them.
      return step.asked ? undoDrop(context, step) : undefined;
  }
}

async function undoDrop({ draft, trail, drops }: UndoContext, step: Step<'dropFolder'>) {
  const path = trail.place(step.path);
  drops.delete(path);
  if ((await draft.kind(path)) === 'folder') return undefined;
  await draft.makeFolder(path);
  return restored(path);
}

async function undoCreate({ draft, trail }: UndoContext, step: Step<'write'>) {
  const path = trail.now(step.path);
  // A file that was deleted since is gone already; it is not removed from the trash as well.
  if (isInside(path, trashFolder) && path !== step.path) return undefined;
  const version = await versionNow(draft, path);
  if (version === undefined) return undefined;
  if (version !== step.after) {
    return left(path, 'it was changed after it had been created; delete it if it is not needed');
  }
  await draft.delete(path, { dotNames: isHidden(path) });
  trail.addAfter({ do: 'delete', path });
  return restored(path);
}

async function undoWrite(
  { change, overwrites, draft, state, trail }: UndoContext,
  step: Step<'write'> & { readonly before: Version },
) {
  const followed = trail.now(step.path);
  // When the trail ends in the trash, the note may have been restored from history as a new file.
  const path = isInside(followed, trashFolder) ? trail.place(step.path) : followed;
  if ((await draft.kind(path)) !== 'file') return left(path, notThere);
  const now = await draft.readBytes(path, limits.historyContentBytesMax);
  if (now.version === step.before) return undefined;
  const before = await state.content(step.before);
  if (before === undefined) return left(path, notKept);
  if (now.version === step.after) {
    await draft.put(path, before, { dotNames: isHidden(path) });
    if (overwrites) draft.overwrites(path);
    return restored(path);
  }
  const after = await state.content(step.after);
  if (after === undefined) return left(path, `it was changed since, and ${notKept}`);
  const contents = { kind: fileKind(path), before, after, now: now.bytes };
  const merged = await draft.vault.work('merge', contents);
  if (merged === undefined) return left(path, sameLines);
  if ('renamed' in merged) return { ...left(path, sameLines), renamed: merged.renamed };
  if (merged.bytes === undefined) return undefined;
  await draft.put(path, merged.bytes, { dotNames: isHidden(path) });
  if (overwrites) draft.overwrites(path);
  const { version } = await draft.readBytes(path, limits.historyContentBytesMax);
  // Where later edits were undone themselves, what is left is a content from before the change.
  const isEarlier =
    version === step.before || (await hadBefore(state, { change, path: step.path, version }));
  return isEarlier ? restored(path) : ({ did: 'merged', path } as const);
}

/** Whether history knows that a file had this content before a change. */
async function hadBefore(
  state: StateStore,
  { change, path, version }: { change: ChangeId; path: VaultPath; version: Version },
): Promise<boolean> {
  for await (const { id, steps } of readHistory(state, { path })) {
    const isHere = (step: ChangeStep): boolean =>
      step.do === 'write' && step.path === path && [step.before, step.after].includes(version);
    if (id < change && steps.some(isHere)) return true;
  }
  return false;
}

async function undoDelete(context: UndoContext, step: Step<'delete'>) {
  const { draft, state, trail } = context;
  const path = trail.place(step.path);
  if (step.before === undefined) return left(path, 'nothing was kept of it');
  if ((await draft.kind(path)) !== undefined) {
    checkStays(context, path);
    if ((await versionNow(draft, path)) === step.before) return undefined;
    return left(path, somethingElse);
  }
  const bytes = await state.content(step.before);
  if (bytes === undefined) return left(path, notKept);
  await draft.create(path, bytes, { dotNames: isHidden(path) });
  trail.addAfter({ do: 'create', path });
  return restored(path);
}

async function undoMove(context: UndoContext, step: Step<'move'>): Promise<StepUndone> {
  const { draft, state, trail } = context;
  const from = trail.now(step.to);
  const place = trail.place(step.path);
  if ((await draft.kind(place)) !== undefined) checkStays(context, place);
  const to = isInside(place, trashFolder) ? await freePath(draft, place) : place;
  if (!(await isFree(draft, to, from))) {
    return left(to, somethingElse);
  }
  if (isInside(from, trashFolder)) {
    if (!isInside(step.to, trashFolder)) return left(step.to, 'it was deleted since');
    // Other programs use the trash as well, so check that the file there is the same one.
    const isSame =
      (await draft.kind(from)) === 'file' &&
      (step.version === undefined || (await versionNow(draft, from)) === step.version);
    const kept = step.version === undefined ? undefined : await state.content(step.version);
    if (!isSame && kept === undefined) return left(to, 'it is not in the trash any more');
    if (!isSame && kept !== undefined) {
      await draft.create(to, kept);
      trail.addAfter({ do: 'create', path: to });
      return restored(to);
    }
  }
  if ((await draft.kind(from)) !== 'file') return left(from, notThere);
  // The file that was replaced comes back to where this one is. Such files are written as new
  // (`Place.entangled` in `planChange`), so this one has to be read.
  if (step.over !== undefined) await draft.readBytes(from, limits.historyContentBytesMax);
  await draft.move(from, to, { dotNames: isHidden(to) });
  trail.addAfter({ do: 'move', path: from, to });
  if (!isHidden(from) && !isHidden(to)) context.moved.push({ from, to, step });
  if (step.over !== undefined) await bringBack(context, step.to, step.over);
  return restored(isHidden(to) ? from : to);
}

/** Puts a file back that the moved one had replaced; warns when that is not possible. */
async function bringBack(
  { draft, state, trail }: UndoContext,
  replaced: VaultPath,
  version: Version | 'unkept',
): Promise<void> {
  const path = trail.place(replaced);
  const bytes = version === 'unkept' ? undefined : await state.content(version);
  if (bytes === undefined)
    return draft.warn(
      `The file that was at "${path}" before is not restored: history has no copy of it.`,
    );
  if ((await draft.kind(path)) !== undefined)
    return draft.warn(
      `The file that was at "${path}" before is not restored: another one is there now.`,
    );
  await draft.create(path, bytes, { dotNames: isHidden(path) });
  trail.addAfter({ do: 'create', path });
}

/** `emptied` is set in a preview only: see `UndoOptions.fileByFile`. */
async function undoMoveFolder(context: UndoContext, step: Step<'moveFolder'>) {
  const { draft, trail, drops, emptied } = context;
  const from = trail.now(step.to);
  const to = trail.place(step.path);
  const kind = await draft.kind(from);
  // When the folder around an empty one is moved file by file, the empty one is not moved along.
  if (kind === undefined && emptied !== undefined && emptied.size > 0 && !emptied.has(from)) {
    return restored(to);
  }
  if (emptied?.has(from) || kind !== 'folder') return left(from, notThere);
  if (!emptied?.has(to) && !(await isFree(draft, to, from))) {
    const isEmpty = drops.has(to) && (await draft.filesIn(to)).length === 0;
    if (isEmpty && !emptied) throw new NeedsOwnChange(`the folder "${to}" is still there`);
    if (!isEmpty) return left(to, somethingElse);
  }
  if (emptied && !isInside(to, from)) await moveFileByFile(draft, from, to);
  else await draft.moveFolder(from, to);
  // A change makes folders first, so it cannot make one where another has yet to move away.
  if (step.over) draft.warn(`An empty folder was at "${from}" before; make it if it is needed.`);
  emptied?.add(from).delete(to);
  trail.addAfter({ do: 'moveFolder', path: from, to });
  context.moved.push({ from, to, step });
  // Folders to be removed that have moved along are now elsewhere.
  for (const [path, as] of Array.from(drops)) {
    if (!isInside(path, from)) continue;
    drops.delete(path);
    drops.set(vaultPath(to + path.slice(from.length)), as);
  }
  return restored(to);
}

/** Throws `NeedsOwnChange` for the path of a folder that this undo removes, but only at its end. */
function checkStays({ drops, emptied }: UndoContext, path: VaultPath): void {
  if (drops.has(path) && !emptied) throw new NeedsOwnChange(`the folder "${path}" is still there`);
}

async function moveFileByFile(draft: Draft, from: VaultPath, to: VaultPath): Promise<void> {
  for (const path of await draft.filesIn(from)) {
    await draft.move(path, vaultPath(to + path.slice(from.length)));
  }
}

/** Why a file is left as it is when the lines in question were changed after the change. */
export const sameLines = 'it was changed in the same lines since';
const notKept = 'its former content is not kept any more';
const notThere = 'it is not there any more';
const somethingElse = 'there is something else of that name now';

function restored(path: VaultPath): StepUndone {
  return { did: 'restored', path };
}

function left(path: VaultPath, reason: string) {
  return { did: 'left', path, reason } as const;
}

/** The version of a file; undefined when there is none. */
async function versionNow(draft: Draft, path: VaultPath): Promise<Version | undefined> {
  if ((await draft.kind(path)) !== 'file') return undefined;
  return (await draft.readBytes(path, limits.historyContentBytesMax)).version;
}

/** Whether a path is free for the file at `mover`; another spelling of its own path is. */
async function isFree(draft: Draft, path: VaultPath, mover: VaultPath): Promise<boolean> {
  return pathKey(path) === pathKey(mover) || (await draft.kind(path)) === undefined;
}
