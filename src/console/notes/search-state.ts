import { signal } from '@preact/signals';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { type ApiFailure, asFailure, get } from '../page/api.ts';

type Answer = ConsoleAnswer<'search'>;

/** What a search has found so far. */
interface Found {
  readonly query: string;
  readonly answer: Answer;
}

export const found = signal<Found | undefined>(undefined);
export const searchFailure = signal<ApiFailure | undefined>(undefined);
export const isLoadingMore = signal(false);

let asked: AbortController | undefined;

/** Ends a search that has not been answered yet. */
export function stopSearch(): void {
  asked?.abort();
}

/** Searches; nothing for an empty query. What was found before stays until the answer is there. */
export async function search(query: string): Promise<void> {
  stopSearch();
  asked = new AbortController();
  if (query.trim() === '') {
    found.value = undefined;
    searchFailure.value = undefined;
    return;
  }
  const { signal: stop } = asked;
  const before = found.peek();
  // A search that is repeated because something has changed shows as much as before.
  const shown = before?.query === query ? before.answer.hits.length : 0;
  const limit = Math.min(200, Math.max(consolePageLimits.searchPage, shown));
  try {
    const answer = await get<Answer>('/search', { query, limit }, stop);
    found.value = { query, answer };
    searchFailure.value = undefined;
  } catch (error) {
    const failure = stop.aborted ? undefined : asFailure(error);
    if (failure === undefined) return;
    if (failure.code !== 'no_answer') found.value = undefined;
    searchFailure.value = failure;
  }
}

/** Adds the next results to those that are shown. */
export async function searchMore(): Promise<void> {
  const before = found.peek();
  const stop = asked?.signal;
  if (before === undefined || stop === undefined || isLoadingMore.peek()) return;
  isLoadingMore.value = true;
  const { query, answer } = before;
  const page = { offset: answer.hits.length, limit: consolePageLimits.searchMore };
  try {
    const more = await get<Answer>('/search', { query, ...page }, stop);
    const known = new Set(answer.hits.map(({ path }) => path));
    const hits = [...answer.hits, ...more.hits.filter(({ path }) => !known.has(path))];
    found.value = {
      query,
      answer: { ...answer, total: more.hits.length === 0 ? hits.length : more.total, hits },
    };
  } catch (error) {
    if (!stop.aborted) searchFailure.value = asFailure(error);
  } finally {
    isLoadingMore.value = false;
  }
}
