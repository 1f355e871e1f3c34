import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { cellText } from '../../engine/operations/query/cell-text.ts';
import type { CreatedInBase } from '../../engine/operations/query/create-in-base.ts';
import type { BaseAnswer } from '../../engine/operations/query/query-base.ts';
import { firstOf } from './fit-answer.ts';
import { writingAnswer } from './writing-answer.ts';

/** The schema of `BaseAnswer`. */
export const BaseAnswerSchema = z.object({
  base: z.string().nullable(),
  view: z.string(),
  type: z.string(),
  this: z.string().nullable(),
  columns: z.array(z.string()).readonly(),
  titles: z.array(z.string()).readonly(),
  total: z.number(),
  matching: z.number().exactOptional(),
  paths: z.array(z.string()).readonly(),
  rows: z.array(z.array(z.unknown()).readonly()).readonly(),
  groups: z
    .array(
      z.object({
        key: z.unknown(),
        paths: z.array(z.string()).readonly(),
        count: z.number().exactOptional(),
        summaries: z.record(z.string(), z.unknown()).exactOptional(),
      }),
    )
    .readonly()
    .exactOptional(),
  summaries: z.record(z.string(), z.unknown()).exactOptional(),
  errors: z
    .array(
      z.object({
        at: z.string(),
        code: z.string(),
        message: z.string(),
        line: z.number().exactOptional(),
        column: z.number().exactOptional(),
        count: z.number(),
      }),
    )
    .readonly(),
  warnings: z
    .array(
      z.object({
        at: z.string(),
        message: z.string(),
        line: z.number().exactOptional(),
        column: z.number().exactOptional(),
      }),
    )
    .readonly()
    .exactOptional(),
});

/** The fields of an answer about a note that was made through a base; see `CreatedInBase`. */
export const inBaseShape = {
  base: z.string().optional(),
  view: z.string().optional(),
  row: z.boolean().optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  unmet: z.array(z.string()).readonly().optional(),
};

/** How many characters of a filter and of a value an answer repeats. */
const repeatedMax = 300;

/** The answer of a tool that made a note through a base. */
export function inBaseAnswer(report: CreatedInBase & Parameters<typeof writingAnswer>[0]) {
  const { base, view, row, set, unmet } = report;
  const shown = Object.entries(set).map(([key, value]) => [
    oneLine(key, repeatedMax),
    JSON.stringify(value).length > repeatedMax ? 'Set, but too long to repeat here.' : value,
  ]);
  return writingAnswer(report, {
    created: true as const,
    base,
    view: oneLine(view, repeatedMax),
    row,
    ...(shown.length === 0 ? {} : { set: Object.fromEntries(firstOf(shown)) }),
    ...(row ? {} : { unmet: unmet.map((filter) => oneLine(filter, repeatedMax)) }),
  });
}

/** The forms in which rows are written as text. */
type RowsFormat = 'csv' | 'tsv' | 'md' | 'paths';

/** The rows of a view as text, each on a line, the titles of the columns first. */
export function rowsText(
  { paths, titles, rows }: Pick<BaseAnswer, 'paths' | 'titles' | 'rows'>,
  format: RowsFormat,
): string {
  if (format === 'paths') {
    return paths.flatMap((path) => (path === '' ? [] : [`${path}\n`])).join('');
  }
  const write = writers[format];
  const cells = rows.map((row) => write(row.map(cellText)));
  const head =
    format === 'md' ? [write(titles), `|${' --- |'.repeat(titles.length)}`] : [write(titles)];
  return [...head, ...cells].map((line) => `${line}\n`).join('');
}

const writers: Readonly<
  Record<Exclude<RowsFormat, 'paths'>, (cells: readonly string[]) => string>
> = {
  csv: (cells) => cells.map(csvCell).join(','),
  tsv: (cells) => cells.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t'),
  md: (cells) => `| ${cells.map(markdownCell).join(' | ')} |`,
};

function csvCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function markdownCell(cell: string): string {
  return cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replace(/\r?\n/g, ' ');
}

/**
 * A list of property ids or expressions: a list, or a text in which commas separate them. Commas
 * inside of brackets and quotes separate nothing.
 */
export function idList(about: string) {
  return z
    .preprocess((value) => {
      const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
      const ids = texts.flatMap((text) => (typeof text === 'string' ? splitIds(text) : []));
      return ids.length === 0 ? undefined : ids;
    }, z.array(z.string()).optional())
    .describe(about);
}

function splitIds(text: string): readonly string[] {
  const ids: string[] = [''];
  let depth = 0;
  let quote = '';
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (char === ',' && depth === 0 && quote === '') ids.push('');
    else ids.push(`${ids.pop() ?? ''}${char}`);
  }
  return ids.map((id) => id.trim()).filter((id) => id !== '');
}
