import type { PlannedFile } from '../ports/proposals.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import type { FileChange } from '../vault/draft.ts';
import { changeFiles, type SeesSpan } from './change-files.ts';

/** What a plan does to each file, and to which version of it. */
export function basisOf(steps: readonly ChangeStep[]): readonly PlannedFile[] {
  return steps.flatMap(plannedFile);
}

function plannedFile(step: ChangeStep): readonly PlannedFile[] {
  const { path } = step;
  switch (step.do) {
    case 'write':
      return [{ path, ...beforeOf(step.before), after: step.after }];
    case 'delete':
      return [{ path, ...beforeOf(step.before) }];
    case 'move':
      return [{ path, ...beforeOf(step.version), to: step.to }];
    case 'moveFolder':
      return [{ path, to: step.to }];
    case 'makeFolder':
      return step.asked === true ? [{ path, folder: 'made' }] : [];
    case 'dropFolder':
      return step.asked === true ? [{ path, folder: 'removed' }] : [];
  }
}

function beforeOf(version: PlannedFile['before']): Pick<PlannedFile, 'before'> {
  return version === undefined ? {} : { before: version };
}

/** Whether two plans do the same to the same versions of the same files. */
export function isSameBasis(one: readonly PlannedFile[], other: readonly PlannedFile[]): boolean {
  const lines = (basis: readonly PlannedFile[]): string =>
    basis
      .map(({ path, before, after, to, folder }) =>
        JSON.stringify([path, before, after, to, folder]),
      )
      .toSorted()
      .join('\n');
  return lines(one) === lines(other);
}

/** What a plan would do to the files that `sees` admits, as a change reports it; all when absent. */
export function plannedFiles(basis: readonly PlannedFile[], sees?: SeesSpan): FileChange[] {
  return changeFiles(basis.map(stepOf), sees);
}

/** A step that does to the file what the plan does; only its paths and versions mean something. */
function stepOf({ path, before, after, to, folder }: PlannedFile): ChangeStep {
  if (folder === 'made') return { do: 'makeFolder', path, asked: true };
  if (folder === 'removed') return { do: 'dropFolder', path, asked: true };
  if (after !== undefined) return { do: 'write', path, ...beforeOf(before), after, token: '' };
  if (to === undefined) return { do: 'delete', path, ...beforeOf(before) };
  return { do: 'move', path, to, ...(before === undefined ? {} : { version: before }) };
}
