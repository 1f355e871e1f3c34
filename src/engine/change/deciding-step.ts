import type { StagedAs } from '../ports/ports.ts';
import type { ChangeStep } from '../ports/state-store.ts';

/** Whether a change needs no mark, since one step of it decides: see `decidingStep`. */
export function decidesAtOnce(steps: readonly ChangeStep[]): boolean {
  // A crash may undo the removal of one folder and not of another, and the system may refuse it.
  return steps.filter((step) => isVisible(step) || isAskedDrop(step)).length <= 1;
}

/** Whether a step changes more than the folders around files. */
function isVisible({ do: what }: ChangeStep): boolean {
  return what !== 'makeFolder' && what !== 'dropFolder';
}

/** Whether a step removes a folder because that was asked for. */
export function isAskedDrop(step: ChangeStep): boolean {
  return step.do === 'dropFolder' && step.asked === true;
}

/**
 * The step that tells whether a change without a mark happened. Of one that is only about folders
 * that is the one dropped, or the last one made.
 */
export function decidingStep(steps: readonly ChangeStep[]): ChangeStep | undefined {
  return (
    steps.find(isVisible) ??
    steps.find(isAskedDrop) ??
    steps.findLast((step) => step.do === 'makeFolder' && step.asked)
  );
}

/** Whether a change can be taken back: the same bytes written anew are nothing that could. */
export function isForHistory(steps: readonly ChangeStep[]): boolean {
  return !steps.every((step) => step.do === 'write' && step.before === step.after);
}

/** How the temporary file of a step is told to the disk. */
export function stagedAs({ entry }: ChangeStep & { do: 'write' }): StagedAs {
  return entry === undefined ? {} : { entry };
}
