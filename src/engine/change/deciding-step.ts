import type { StagedAs } from '../ports/ports.ts';
import type { ChangeStep } from '../ports/state-store.ts';

/**
 * Whether a change gets the state `single` (`ChangeState`), which needs no mark: it has at most one
 * step that matters, and by that step (`decidingStep`) the disk shows whether the change happened.
 */
export function isSingle(steps: readonly ChangeStep[]): boolean {
  // Each removal of a folder counts: the system may refuse one, or a crash undo one and not another.
  return steps.filter((step) => isVisible(step) || isAskedDrop(step)).length <= 1;
}

/** Whether a step changes a file, or moves a folder. */
function isVisible({ do: what }: ChangeStep): boolean {
  return what !== 'makeFolder' && what !== 'dropFolder';
}

/** Whether a step removes a folder because the caller asked for that; see `ChangeStep`. */
export function isAskedDrop(step: ChangeStep): boolean {
  return step.do === 'dropFolder' && step.asked === true;
}

/**
 * The step by which the disk shows whether a `single` change happened. In a change that only makes
 * or removes folders it is the removal that was asked for, or the last folder that was asked for.
 */
export function decidingStep(steps: readonly ChangeStep[]): ChangeStep | undefined {
  return (
    steps.find(isVisible) ??
    steps.find(isAskedDrop) ??
    steps.findLast((step) => step.do === 'makeFolder' && step.asked)
  );
}

/** Whether history records a change: not where it only wrote the bytes that were there already. */
export function isForHistory(steps: readonly ChangeStep[]): boolean {
  return !steps.every((step) => step.do === 'write' && step.before === step.after);
}

/** The option that every call of the disk about a step's temporary file needs. */
export function stagedAs({ entry }: ChangeStep & { do: 'write' }): StagedAs {
  return entry === undefined ? {} : { entry };
}
