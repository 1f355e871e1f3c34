import type { TaskDateKind } from '../../markdown/facts/task-fields.ts';

/** Which tasks are wanted: those that meet every condition. */
export interface TaskFilter {
  /** Those with one of these characters between the brackets, or with `not` all others. */
  readonly statuses?: { readonly chars: readonly string[]; readonly not?: true };
  readonly dates?: readonly TaskDateFilter[];
  /** Those with this tag or one nested under it on their line; without `#`, any case. */
  readonly tag?: string;
}

/** A date that a task must have, from one day to another, each included; or with `none` not have. */
export interface TaskDateFilter {
  readonly kind: TaskDateKind;
  readonly from?: string;
  readonly to?: string;
  readonly none?: true;
}

/** One page of the tasks that are wanted. */
export interface TaskRequest extends TaskFilter {
  readonly limit: number;
  readonly offset: number;
  /** Sorted by this date, tasks without it last; otherwise in the order of the notes. */
  readonly sort?: TaskDateKind;
}

/** Some of the tasks that are wanted, and how many there are. */
export interface TaskPage<Task> {
  readonly total: number;
  readonly items: readonly Task[];
  /** How many tasks meet all conditions but have another status, by that status. */
  readonly others: readonly (readonly [status: string, count: number])[];
  /** How many of them have a date, of those asked about, that is on no calendar. */
  readonly unreal?: number;
}
