import { type TaskDateKind, taskDateKinds } from '../../markdown/facts/task-fields.ts';

/** The dates of tasks that the arguments of a tool ask for. */
export function askedDates(
  args: {
    readonly [Kind in TaskDateKind]?: string | undefined;
  },
): (readonly [kind: TaskDateKind, asked: string])[] {
  return taskDateKinds.flatMap((kind) => {
    const asked = args[kind];
    return asked === undefined ? [] : [[kind, asked] as const];
  });
}
