import type { StagedAs } from '../ports/ports.ts';
import type { ChangeStep } from '../ports/state-store.ts';

/**
 * Whether a change needs no mark, because it has at most one step that matters: the disk then shows
 * by that step (`decidingStep`) whether the change happened.
 */
export function decidesAtOnce(steps: readonly ChangeStep[]): boolean {
  // Each removal of a folder counts: the system may refuse one, or a crash undo one and not another.
  return steps.filter((step) => isVisible(step) || isAskedDrop(step)).length <= 1;
}

/** Whether a step changes a file, or moves a folder. */
function isVisible({ do: what }: ChangeStep): boolean {
  return what !== 'makeFolder' && what !== 'dropFolder';
}

/** Whether a step removes a folder because that was asked for. */
export function isAskedDrop(step: ChangeStep): boolean {
  return step.do === 'dropFolder' && step.asked === true;
}

/**
 * The step by which the disk shows whether a change without a mark happened. In a change that only
 * makes or removes folders it is the removal that was asked for, or the last folder made.
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
