import type { TaskRecord } from '../ports/records.ts';
import type { TaskDateFilter, TaskFilter, TaskPage, TaskRequest } from '../ports/task-request.ts';
import { dayNumber } from '../text/day-number.ts';
import { tagKey } from '../text/tag-name.ts';
import { hasStatus } from './task-status.ts';

/** Whether a task meets all conditions except that about its status. */
function isWanted({ dates, tags }: TaskRecord, filter: TaskFilter): boolean {
  const { tags: asked } = filter;
  if (asked !== undefined && !tags?.some((tag) => asked.some((one) => isTag(tag, one))))
    return false;
  return (filter.dates ?? []).every((wanted) => isWithin(dates?.[wanted.kind], wanted));
}

function isTag(written: string, tag: string): boolean {
  const [key, wanted] = [tagKey(written), tagKey(tag)];
  return key === wanted || key.startsWith(`${wanted}/`);
}

/** Dates are compared as text: a day that its month does not have stays in the right year. */
function isWithin(date: string | undefined, { from, to, none }: TaskDateFilter): boolean {
  if (date === undefined || none) return date === undefined && none === true;
  return (from === undefined || date >= from) && (to === undefined || date <= to);
}

/** Whether a date that was asked about is on no calendar, such as 2026-02-31. */
function isUnreal({ dates }: TaskRecord, filter: TaskFilter): boolean {
  return (filter.dates ?? []).some(({ kind }) => {
    const date = dates?.[kind];
    return date !== undefined && dayNumber(date) === undefined;
  });
}

/** Picks the wanted tasks out of tasks that come one after the other, and makes a page of them. */
export class TaskPicker<Task extends TaskRecord> {
  readonly #request: TaskRequest;
  readonly #found: Task[] = [];
  readonly #others = new Map<string, number>();
  #unreal = 0;

  constructor(request: TaskRequest) {
    this.#request = request;
  }

  add(task: Task): void {
    if (!isWanted(task, this.#request)) return;
    if (hasStatus(task.status, this.#request.statuses)) {
      this.#found.push(task);
      if (isUnreal(task, this.#request)) this.#unreal += 1;
    } else this.#others.set(task.status, (this.#others.get(task.status) ?? 0) + 1);
  }

  page(): TaskPage<Task> {
    const { sort, limit, offset } = this.#request;
    const dateOf = ({ dates }: Task): string => (sort && dates?.[sort]) ?? '~';
    const found =
      sort === undefined
        ? this.#found
        : this.#found.sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : dateOf(a) > dateOf(b) ? 1 : 0));
    return {
      total: found.length,
      items: found.slice(offset, offset + limit),
      others: Array.from(this.#others).sort(([a], [b]) => (a < b ? -1 : 1)),
      ...(this.#unreal === 0 ? {} : { unreal: this.#unreal }),
    };
  }
}
