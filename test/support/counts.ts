import { inject } from 'vitest';

/**
 * How much the tests do. `quick` is what `npm test` runs: every promise at least once. `full` is
 * what lands a change. `soak` is for a night. `vitest.config.ts` says which one it is.
 */
export type Extent = 'quick' | 'full' | 'soak';

declare module 'vitest' {
  interface ProvidedContext {
    readonly extent: Extent;
  }
}

const extent = inject('extent');

/** True under `npm test`: a test that takes long and holds no promise alone may be skipped. */
export const isQuick = extent === 'quick';

/**
 * Answers the count, or the list of cases, that fits how much is to be tested. `soak` is as `full`
 * where it is not given. Only test files call this: `vitest.config.ts` finds those that have more to
 * do in full by this import.
 */
export function counted<T>(choice: { readonly quick: T; readonly full: T; readonly soak?: T }): T {
  return extent === 'soak' ? (choice.soak ?? choice.full) : choice[extent];
}

/** The first rows of a table under `npm test`, and all of them in full. */
export function firstRows<T>(quick: number, rows: readonly T[]): readonly T[] {
  return counted({ quick: rows.slice(0, quick), full: rows });
}

/** A timeout, which with SOAK=1 is sixty times as long. */
export function soakTime(timeoutMs: number): number {
  return extent === 'soak' ? 60 * timeoutMs : timeoutMs;
}
