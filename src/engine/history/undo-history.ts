import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { isHidden, trashFolder, vaultPath } from '../../base/vault-path.ts';
import { mayBeKept, stepsOfFiles } from '../change/change-files.ts';
import { seenSteps } from '../change/change-row.ts';
import { isAskedDrop } from '../change/deciding-step.ts';
import { isDestructiveToUndo } from '../change/destroyed-files.ts';
import { followedNames, linkFollower } from '../moves/follow-links.ts';
import { isWritableDotFile } from '../notes/bookmarks-file.ts';
import type { ChangeId, ChangeStep, StoredChange } from '../ports/state-store.ts';
import type { Draft } from '../vault/draft.ts';
import { changeTrail, PathTrail, trailSteps } from './path-trail.ts';
import { readHistory } from './read-history.ts';
import type { StepUndone, UndoContext } from './undo-step.ts';
import { fileFailures, NeedsOwnChange, sameLines, undoStep } from './undo-step.ts';
import { isUndoneInPlace } from './undo-tail.ts';

/** How an undo treats folders, and how much of each change it takes back. */
export interface UndoOptions {
  /**
   * Moves the files of a folder one by one instead of the folder, so that one draft can show an
   * undo of any number of folder moves. For previews only: dot files would stay behind.
   */
  readonly fileByFile?: boolean | undefined;
  /** Takes back only these files of the changes, by their paths before or after the change. */
  readonly paths?: readonly string[] | undefined;
}

/** What an undo, or a redo, did. */
export interface Undone {
  /** The changes that were taken back, at least in part. */
  readonly undone: readonly ChangeId[];
  /** Files that are as they were before. */
  readonly restored: readonly VaultPath[];
  /** Files that were edited since: the undo was merged with those edits. */
  readonly merged: readonly VaultPath[];
  /** Files that were left as they are, and why. */
  readonly left: readonly { readonly path: VaultPath; readonly reason: string }[];
}

const shownMax = 5;

/**
 * Thrown when changes cannot be taken back in one change, because folders were moved; one by one
 * they can.
 */
export class NotTogether extends VaultError {
  /** The changes that can be taken back together now. Like `rest`, newest first. */
  readonly first: readonly ChangeId[];
  /** The changes that can be taken back after those. */
  readonly rest: readonly ChangeId[];

  constructor(first: readonly ChangeId[], rest: readonly ChangeId[]) {
    super(
      'invalid_input',
      `These changes cannot be undone together, because folders were moved; undo ${first.join(', ')} first, then the rest.`,
      { details: { first, rest } },
    );
    this.first = first;
    this.rest = rest;
  }
}

/** Thrown when not one file of the changes could be restored. */
export class NothingRestored extends VaultError {
  readonly left: Undone['left'];

  constructor(left: Undone['left']) {
    const shown = left.slice(0, shownMax).map(({ path, reason }) => `"${path}": ${reason}`);
    const more = left.length > shownMax ? `; and ${left.length - shownMax} more` : '';
    const todo = left.some(({ reason }) => reason === sameLines)
      ? ' Undo the later changes of this file first (the history lists them by its path), or, if you have changed it yourself, correct it by hand: the change shows what was there before.'
      : '';
    super('conflict', `Nothing could be undone. ${shown.join('; ')}${more}.${todo}`, {
      details: { left },
    });
    this.left = left;
  }
}

/**
 * Takes changes back, the newest first, each file at the path where it is now. To follow moved
 * files (`PathTrail`), it reads history from its newest change down to the oldest of the given
 * ones; of changes that are not taken back, only the moves matter. Of a change that the caller sees
 * in part, only that part is taken back; and with `paths`, only those files. Fails with
 * `NothingRestored` when no file could be restored, and with `NotTogether` when the changes cannot
 * be taken back in one change.
 */
export async function undoHistory(
  draft: Draft,
  changes: readonly StoredChange[],
  { fileByFile = false, paths }: UndoOptions = {},
): Promise<Undone> {
  const asked = new Map(changes.map((change) => [change.id, change]));
  const ids = new Set(asked.keys());
  const oldest = changes.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY);
  const { state } = draft.vault.vault.parts;
  const tally = new Tally();
  const trail = new PathTrail();
  const tried: ChangeId[] = [];
  const only = paths === undefined ? undefined : new Set(paths);
  /** The changes of which the caller sees, or wants, only a part: only that is taken back. */
  const partly: ChangeId[] = [];
  let folderMoved = false;
  const emptied = fileByFile ? new Set<VaultPath>() : undefined;
  const inPlace = isUndoneInPlace(draft, changes);
  const context = { draft, state, trail, drops: new Map(), inPlace, emptied };
  /** Whether nothing was taken back before, so that taking back less at once would not help. */
  const isAlone = (): boolean => fileByFile || tried.length === 0;
  for await (const change of readHistory(state, { after: oldest - 1 })) {
    const taken = asked.get(change.id);
    const seen = taken === undefined ? [] : seenSteps(draft.vault, taken.steps);
    const steps = only === undefined ? seen : stepsOfFiles(seen, only);
    if (taken !== undefined && (steps.length > 0 || only === undefined)) {
      if (steps.length < seen.length || seen !== taken.steps) partly.push(change.id);
      const does = (what: ChangeStep['do']): boolean => steps.some((step) => step.do === what);
      // The steps of one change cannot express where files are when folders move several times, nor
      // whether a folder that is moved and then removed was empty.
      const isAboutFolders = does('moveFolder') || does('makeFolder') || steps.some(isAskedDrop);
      if (folderMoved && !fileByFile && isAboutFolders) {
        throw notTogether(tried, ids);
      }
      folderMoved ||= does('moveFolder');
      const outcomes = await undoChange(
        context,
        { ...change, steps: seen },
        { isAlone: isAlone(), chosen: new Set(steps) },
      ).catch((error: unknown) => {
        throw error instanceof NeedsOwnChange ? notTogether(tried, ids) : error;
      });
      tally.add(change.id, outcomes);
      tried.push(change.id);
      continue;
    }
    for (const step of changeTrail(change.steps).toReversed()) trail.addBefore(step);
  }
  const answer = tally.answer();
  if (answer.undone.length === 0) throw new NothingRestored(answer.left);
  draft.undoes(answer.undone, partly);
  // Inner folders first.
  const drops = Array.from(context.drops).sort(([a], [b]) => b.length - a.length);
  for (const [path, as] of drops) if (mayDrop(draft, path)) draft.dropFolder(path, as);
  return answer;
}

/** Whether the caller may remove a folder if it is empty. */
function mayDrop({ vault }: Draft, path: VaultPath): boolean {
  return vault.raw || !isHidden(path) || path === trashFolder || isWritableDotFile(path);
}

/**
 * Takes back the chosen steps of one change, the last one first. Throws `NeedsOwnChange` when a step
 * needs that; with `isAlone` the file of that step is left as it is instead.
 */
async function undoChange(
  shared: Omit<UndoContext, 'change' | 'overwrites' | 'moved'>,
  undone: StoredChange,
  options: { readonly isAlone: boolean; readonly chosen: ReadonlySet<ChangeStep> },
): Promise<StepUndone[]> {
  const { id, steps, kept } = undone;
  const overwrites = isDestructiveToUndo(shared.draft.vault, undone);
  const context: UndoContext = { ...shared, change: id, overwrites, moved: [] };
  const { draft, trail } = context;
  const outcomes: StepUndone[] = [];
  /** Folders that the change moved and then removed because they were empty: nothing to undo. */
  const gone = new Set<VaultPath>();
  for (const step of steps.toReversed()) {
    if (!options.chosen.has(step)) {
      remember(trail, step);
      continue;
    }
    if (step.do === 'dropFolder' && !step.asked) gone.add(step.path);
    if (
      step.do === 'moveFolder' &&
      gone.has(step.to) &&
      (await draft.kind(trail.now(step.to))) === undefined
    ) {
      gone.add(step.path);
      continue;
    }
    // A step whose path is in `kept` did not happen: an outside editor had changed the file.
    const wasKept = mayBeKept(step) && kept.includes(step.path);
    if (!wasKept) {
      outcomes.push(
        await undoStep(context, step).catch((error: unknown) => {
          if (!(error instanceof NeedsOwnChange && options.isAlone)) throw error;
          return { did: 'left', path: step.path, reason: error.message } as const;
        }),
      );
    }
    remember(trail, step);
  }
  return context.moved.length === 0 ? outcomes : relinked(context, outcomes);
}

/**
 * What became of files that were left as they are: where the change only rewrote links in one and
 * moved what they lead to, its links follow the files back, one by one, and the rest of its lines
 * stays.
 */
async function relinked(
  { draft, moved }: UndoContext,
  outcomes: readonly StepUndone[],
): Promise<StepUndone[]> {
  if (!outcomes.some((outcome) => outcome?.did === 'left' && outcome.renamed)) return [...outcomes];
  const moves = new Map<VaultPath, VaultPath>();
  for (const { from, to } of moved) {
    const isFile = (await draft.kind(to)) === 'file';
    for (const path of isFile ? [to] : await draft.filesIn(to)) {
      moves.set(vaultPath(from + path.slice(to.length)), path);
    }
  }
  const files = Array.from(moves).flat();
  const isFollowed = followedNames(
    moved.map(({ step }) => step),
    files,
  );
  const isMoved = new Set(files);
  const isOnlyLinks = (outcome: StepUndone): outcome is StepUndone & { readonly did: 'left' } => {
    if (outcome?.did !== 'left' || outcome.renamed === undefined) return false;
    // In a file that was moved itself, paths may have changed because they begin at its folder.
    const { path, renamed } = outcome;
    return isFollowed(renamed.filter(([from, to]) => from !== to || !isMoved.has(path)));
  };
  const follow = linkFollower(draft, moves);
  const ends: StepUndone[] = [];
  for (const outcome of outcomes) {
    if (!isOnlyLinks(outcome)) ends.push(outcome);
    else {
      const path = moves.get(outcome.path) ?? outcome.path;
      const links = await follow(path).catch((error: unknown) => {
        if (error instanceof VaultError && fileFailures.has(error.code)) return undefined;
        throw error;
      });
      if (links === undefined) ends.push(outcome);
      else ends.push(links === 0 ? undefined : { did: 'merged', path });
    }
  }
  return ends;
}

/** Adds a step to the beginning of the trail: for older steps it has happened, and was undone. */
function remember(trail: PathTrail, step: ChangeStep): void {
  for (const followed of trailSteps(step).toReversed()) trail.addBefore(followed);
}

function notTogether(tried: readonly ChangeId[], ids: ReadonlySet<ChangeId>): NotTogether {
  const rest = Array.from(ids).filter((id) => !tried.includes(id));
  return new NotTogether(
    tried,
    rest.sort((a, b) => b - a),
  );
}

/** Sums up the outcomes of all steps, by change and by file. */
class Tally {
  readonly undone: ChangeId[] = [];
  readonly #files = new Map<VaultPath, 'restored' | 'merged'>();
  readonly #left = new Map<VaultPath, string>();

  add(id: ChangeId, outcomes: readonly StepUndone[]): void {
    const isLeft = outcomes.some((outcome) => outcome?.did === 'left');
    const isTouched = outcomes.some((outcome) => outcome !== undefined && outcome.did !== 'left');
    if (isTouched || !isLeft) this.undone.push(id);
    for (const outcome of outcomes) {
      if (outcome === undefined) continue;
      if (outcome.did === 'left') this.#left.set(outcome.path, outcome.reason);
      else if (this.#files.get(outcome.path) !== 'merged') {
        this.#files.set(outcome.path, outcome.did);
      }
    }
  }

  answer(): Undone {
    const files = (wanted: 'restored' | 'merged'): VaultPath[] =>
      Array.from(this.#files).flatMap(([path, did]) =>
        did === wanted && !this.#left.has(path) ? [path] : [],
      );
    return {
      undone: this.undone,
      restored: files('restored'),
      merged: files('merged'),
      left: Array.from(this.#left, ([path, reason]) => ({ path, reason })),
    };
  }
}
