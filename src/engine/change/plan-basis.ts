import type { PlannedFile } from '../ports/proposals.ts';
import type { ChangeStep } from '../ports/state-store.ts';

/** What a plan does to each file, and to which version of it. */
export function basisOf(steps: readonly ChangeStep[]): readonly PlannedFile[] {
  return steps.flatMap(filesOf);
}

function filesOf(step: ChangeStep): readonly PlannedFile[] {
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
    case 'dropFolder':
      return step.asked === true ? [{ path }] : [];
  }
}

function beforeOf(version: PlannedFile['before']): Pick<PlannedFile, 'before'> {
  return version === undefined ? {} : { before: version };
}

/** Whether two plans do the same to the same versions of the same files. */
export function isSameBasis(one: readonly PlannedFile[], other: readonly PlannedFile[]): boolean {
  const lines = (basis: readonly PlannedFile[]): string =>
    basis
      .map(({ path, before, after, to }) => JSON.stringify([path, before, after, to]))
      .toSorted()
      .join('\n');
  return lines(one) === lines(other);
}
