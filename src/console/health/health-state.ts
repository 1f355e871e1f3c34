import { computed, type Signal, signal } from '@preact/signals';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { type ApiFailure, asFailure, get } from '../page/api.ts';
import type { HealthList } from '../page/place.ts';
import { indexState } from '../page/server-state.ts';

/** Something that is asked for; both are undefined before the first answer. */
interface Asked<Value> {
  readonly value?: Value;
  readonly failure?: ApiFailure;
}

/** The rows of a list that are shown, and how long the list is. */
export type ListPages = {
  readonly [List in HealthList]?: List extends 'unresolved' | 'orphans'
    ? Omit<ConsoleAnswer<List>, 'at'>
    : List extends keyof ConsoleAnswer<'problems'>
      ? ConsoleAnswer<'problems'>[List]
      : never;
};

type Problems = ConsoleAnswer<'problems'>;

/** Whether the index has the links and properties of all notes. */
export const hasLinks = computed(() => {
  const stage = indexState.value?.stage;
  return stage === 'text' || stage === 'ready';
});
/** Whether it has the names of all files. */
export const hasNames = computed(() => hasLinks.value || indexState.value?.stage === 'facts');

export const problems = signal<Asked<Problems>>({});
export const unresolved = signal<Asked<ConsoleAnswer<'unresolved'>>>({});
export const orphans = signal<Asked<ConsoleAnswer<'orphans'>>>({});
export const sizes = signal<Asked<ConsoleAnswer<'sizes'>>>({});
export const counts = signal<Asked<ConsoleAnswer<'counts'>>>({});
export const totals = signal<Asked<ConsoleAnswer<'totals'>>>({});

/** One page of one list, where only that is shown. */
export const oneList = signal<
  { readonly list: HealthList; readonly from: number; readonly pages: ListPages } | undefined
>(undefined);

/** The rows that Health shows: of one list from a row on, or the first of all lists. */
interface ShownRows {
  readonly list?: HealthList | undefined;
  readonly from?: number | undefined;
}

let asking: AbortController | undefined;

/**
 * Asks for what Health shows. What the index does not have yet, names or links, is not asked about: the
 * server would wait for it. What was shown stays until the answers are there.
 */
export async function loadHealth({ list, from = 0 }: ShownRows): Promise<void> {
  asking?.abort();
  asking = new AbortController();
  const { signal: stop } = asking;
  const { healthRows, healthPage, plottedDays, plottedTotalDays } = consolePageLimits;
  const page = list === undefined ? { limit: healthRows } : { limit: healthPage, offset: from };
  const ask = <Value>(
    into: Signal<Asked<Value>>,
    path: string,
    query: Readonly<Record<string, number>> = {},
  ): Promise<void> => askFor(into, () => get<Value>(path, query, stop), stop);
  const isOfLinks = list === 'unresolved' || list === 'orphans';
  await Promise.all([
    ...(hasLinks.peek() && (list ?? 'unresolved') === 'unresolved'
      ? [ask(unresolved, '/unresolved', page)]
      : []),
    ...(hasLinks.peek() && (list ?? 'orphans') === 'orphans'
      ? [ask(orphans, '/orphans', page)]
      : []),
    ...(isOfLinks ? [] : [ask(problems, '/problems', page)]),
    ...(list === undefined
      ? [
          ...(hasNames.peek() ? [ask(sizes, '/sizes')] : []),
          ask(counts, '/counts', { days: plottedDays }),
          ask(totals, '/totals', { days: plottedTotalDays }),
        ]
      : []),
  ]);
  if (stop.aborted || list === undefined || (isOfLinks && !hasLinks.peek())) return;
  oneList.value = { list, from, pages: listPages() };
}

/** Forgets everything: another vault is shown now, or none. */
export function forgetHealth(): void {
  asking?.abort();
  oneList.value = undefined;
  for (const each of [problems, unresolved, orphans, sizes, counts, totals]) each.value = {};
}

/** The rows of all lists, as far as they are known. */
export function listPages(): ListPages {
  const known = problems.value.value;
  const links = unresolved.value.value;
  const alone = orphans.value.value;
  return {
    ...(known === undefined
      ? {}
      : {
          conflicts: known.conflicts,
          problems: known.problems,
          refused: known.refused,
          absent: known.absent,
        }),
    ...(links === undefined ? {} : { unresolved: links }),
    ...(alone === undefined ? {} : { orphans: alone }),
  };
}

/** The newest change that what is shown knows of. */
export function knownAt(): number {
  const known = [problems, unresolved, orphans].map((each) => each.peek().value?.at ?? 0);
  return Math.max(...known);
}

/** The first failure among what was asked for. */
export function healthFailure(): ApiFailure | undefined {
  return [problems, unresolved, orphans, sizes, counts, totals]
    .map(({ value }) => value.failure)
    .find((failure) => failure !== undefined);
}

async function askFor<Value>(
  into: Signal<Asked<Value>>,
  ask: () => Promise<Value>,
  stop: AbortSignal,
): Promise<void> {
  try {
    into.value = { value: await ask() };
  } catch (error) {
    const failure = stop.aborted ? undefined : asFailure(error);
    if (failure !== undefined) into.value = { ...into.peek(), failure };
  }
}
