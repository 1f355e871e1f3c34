import type { Value } from '../bases/values/value.ts';
import { MissingFacts } from '../bases/values/world.ts';

/**
 * Does something for every element of a list. Where facts are missing for several, it says so for all
 * of them at once: a list may have an element for every note.
 */
export function forAll<T>(list: readonly Value[], work: (value: Value, at: number) => T): T[] {
  const missing: MissingFacts[] = [];
  const results: T[] = [];
  for (const [at, value] of list.entries()) {
    try {
      results.push(work(value, at));
    } catch (error) {
      if (!(error instanceof MissingFacts)) throw error;
      missing.push(error);
    }
  }
  const [first, ...others] = missing;
  if (first !== undefined) throw new MissingFacts(first.of, [...first.others, ...others]);
  return results;
}
