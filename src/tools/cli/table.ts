import { formatDate } from '../../engine/text/format-date.ts';
import type { Paint } from '../define/define-tool.ts';
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

/** One column of a table. */
interface Column {
  /** What stands above it at a terminal. */
  readonly title: string;
  /** Numbers stand at the right side of their column. */
  readonly align?: 'right';
  /** It is never cut: an id, which the reader has to type. */
  readonly whole?: true;
  readonly paint?: (text: string) => string;
}

const gap = 2;
/** A column that has to become narrower keeps at least so many columns of the terminal. */
const narrowest = 12;

/**
 * Rows as a table with aligned columns. At a terminal it has titles, and what does not fit into a
 * line is cut, the widest columns first. Elsewhere nothing is cut and there are no titles, so that
 * programs such as grep get all of it. The cells have to be safe to print (`plain`).
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Pick<Paint, 'faint' | 'columns'>,
): string[] {
  if (rows.length === 0) return [];
  const isTerminal = paint.columns !== undefined;
  const titles = columns.map(({ title }) => title);
  const shown = isTerminal ? [titles, ...rows] : rows;
  const widths = columns.map((_, at) =>
    shown.reduce((width, row) => Math.max(width, displayWidth(row[at] ?? '')), 0),
  );
  if (paint.columns !== undefined) narrow(columns, widths, paint.columns);
  const lineOf = (row: readonly string[], painted: boolean): string =>
    columns
      .map(({ align, paint: style }, at) => {
        const width = widths[at] ?? 0;
        const cell = isTerminal ? cutToWidth(row[at] ?? '', width) : (row[at] ?? '');
        const isLast = at === columns.length - 1 && align === undefined;
        const padded = isLast
          ? cell
          : padToWidth(cell, width, align === 'right' ? 'right' : 'left');
        return painted && style !== undefined ? style(padded) : padded;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    ...(isTerminal ? [paint.faint(lineOf(titles, false))] : []),
    ...rows.map((row) => lineOf(row, true)),
  ];
}

/** Makes the widest columns narrower until a row fits or none can give any more. */
function narrow(columns: readonly Column[], widths: number[], width: number): void {
  const gaps = gap * (widths.length - 1);
  const capped = (cap: number): number[] =>
    widths.map((own, at) => (columns[at]?.whole === true ? own : Math.min(own, cap)));
  let cap = Math.min(width, Math.max(...widths));
  while (cap > narrowest && capped(cap).reduce((sum, each) => sum + each, gaps) > width) cap--;
  capped(cap).forEach((own, at) => {
    widths[at] = own;
  });
}

/** The time of each row of a table; with seconds where two rows would otherwise read the same. */
export function rowTimes(
  rows: readonly { readonly timeMs: number; readonly text: string }[],
  paint: Pick<Paint, 'when'>,
): readonly string[] {
  const keys = rows.map(({ timeMs, text }) => `${paint.when(timeMs)}\n${text}`);
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const key of keys) (seen.has(key) ? twice : seen).add(key);
  return rows.map(({ timeMs }, at) =>
    twice.has(keys[at] ?? '') ? formatDate(timeMs, 'YYYY-MM-DD HH:mm:ss') : paint.when(timeMs),
  );
}
