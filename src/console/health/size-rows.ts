import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswers } from '../../tools/console/console-answers.ts';
import { healthStrings } from '../words/health-strings.ts';

type Step = ConsoleAnswers['sizes']['steps'][number];

/** A bar: notes of about one size. */
interface SizeRow {
  readonly label: string;
  readonly notes: number;
}

/**
 * The sizes of notes as a few bars: empty ones at both ends are left out, and neighbours are joined
 * until there are few enough.
 */
export function sizeRows(steps: readonly Step[]): SizeRow[] {
  const first = steps.findIndex(({ notes }) => notes > 0);
  if (first === -1) return [];
  const last = steps.findLastIndex(({ notes }) => notes > 0);
  const end = steps[last + 1]?.from;
  let rows = steps.slice(first, last + 1);
  while (rows.length > consolePageLimits.plottedSizes) {
    rows = rows.flatMap(({ from, notes }, at) =>
      at % 2 === 0 ? [{ from, notes: notes + (rows[at + 1]?.notes ?? 0) }] : [],
    );
  }
  return rows.map(({ from, notes }, at) => ({
    label: healthStrings.sizeBetween(from, rows[at + 1]?.from ?? end),
    notes,
  }));
}
