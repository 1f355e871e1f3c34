import { limits } from '../../base/limits.ts';
import type { Version } from '../../base/version.ts';
import type { ChangeStep, TailStep } from '../../engine/ports/state-store.ts';
import { type ChangeRow, stepsOf } from './change-row.ts';

type WriteStep = ChangeStep & { readonly do: 'write' };

/** What two saves become when they are joined. */
interface Folded {
  readonly steps: readonly ChangeStep[];
  /**
   * For writes: the text that is there afterwards, and whether the earlier save has made the file, so
   * that nothing was destroyed.
   */
  readonly destroyed?: { readonly after: Version; readonly isNew: boolean };
}

/**
 * How a save is joined with the change before it that touches the file: if both are saves of the same
 * file by the same client, and the first of the joined saves is not older than `limits.historyFoldMs`.
 * The newer change remains; undoing it brings back the file as it was before the older one. Undefined
 * where they are not joined.
 */
export function foldedSteps(row: ChangeRow, earlier: ChangeRow): Folded | undefined {
  const [step] = foldable(row);
  if (step === undefined || !isSameAuthor(earlier, row)) return undefined;
  if (earlier.state !== 'done' || earlier.undone_by !== null) return undefined;
  const ageMs = row.time - earlier.first_time;
  if (ageMs < 0 || ageMs >= limits.historyFoldMs) return undefined;
  const earlierSteps = foldable(earlier);
  return step.do === 'write' ? foldWrite(step, earlierSteps) : foldAppend(step, earlierSteps);
}

/** Joins writes of a whole file to one that leads from the first version to the last. */
function foldWrite(
  step: WriteStep,
  [earlier]: readonly (WriteStep | TailStep)[],
): Folded | undefined {
  if (earlier?.do !== 'write') return undefined;
  if (earlier.path !== step.path || earlier.after !== step.before) return undefined;
  const { before: _, whole: __, ...rest } = step;
  const isWhole = step.whole === true || earlier.whole === true;
  const folded: WriteStep = {
    ...rest,
    ...(earlier.before && { before: earlier.before }),
    // A file that the joined saves have made was not there to be overwritten.
    ...(isWhole && earlier.before && { whole: true }),
  };
  const destroyed = { after: step.after, isNew: earlier.before === undefined };
  return { steps: [folded], destroyed };
}

/**
 * Joins appends in place: the newer change gets the steps of both, so that nothing is added up. A
 * change takes at most `limits.foldedAppendsMax` of them, and no more bytes than one content has.
 */
function foldAppend(
  step: TailStep,
  earlierSteps: readonly (WriteStep | TailStep)[],
): Folded | undefined {
  const [first] = earlierSteps;
  const last = earlierSteps.at(-1);
  if (first?.do !== 'append' || last?.do !== 'append') return undefined;
  if (earlierSteps.length >= limits.foldedAppendsMax) return undefined;
  const { path, inode, length, bytes } = last;
  if (path !== step.path || inode !== step.inode || length + bytes !== step.length)
    return undefined;
  if (step.length + step.bytes - first.length > limits.historyContentBytesMax) return undefined;
  return { steps: [...earlierSteps, step] };
}

/**
 * The steps of a change that may be joined with another: one write, or appends in place; no undo, and
 * nothing that the owner has accepted on its own. Empty for any other change.
 */
export function foldable(row: ChangeRow): readonly (WriteStep | TailStep)[] {
  if (row.proposal !== null) return [];
  if (row.fold === 0 || row.undoes !== '[]' || row.kept !== '[]') return [];
  const steps = stepsOf(row);
  const [step, more] = steps;
  if (step?.do === 'write' && more === undefined) return [step];
  const appends = steps.filter((each): each is TailStep => each.do === 'append');
  return appends.length === steps.length ? appends : [];
}

function isSameAuthor(a: ChangeRow, b: ChangeRow): boolean {
  return (
    a.door === b.door &&
    a.token === b.token &&
    a.client === b.client &&
    // Clients without a name are told apart by their connection.
    (a.client !== null || a.connection === b.connection) &&
    a.tool === b.tool
  );
}
