import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { cellText } from '../../engine/operations/query/cell-text.ts';
import { type BaseAnswer, queryBase } from '../../engine/operations/query/query-base.ts';
import { defineTool, type Paint } from '../define/define-tool.ts';
import { given } from '../define/note-input.ts';
import { BaseAnswerSchema, idList, rowsText } from '../wording/base-rows.ts';
import { limitOf, Offset } from './schemas.ts';
import { table } from './table.ts';
import { counted, lines, plain } from './text.ts';

const Format = z
  .enum(['table', 'json', 'csv', 'tsv', 'md', 'paths'])
  .default('table')
  .describe('How the rows are printed.');
const This = z.string().min(1).exactOptional().describe('The note that "this" stands for.');

/** The answer, and how it is printed. */
const output = BaseAnswerSchema.extend({ format: Format });

export const baseTool = defineTool({
  name: 'base',
  title: 'Base',
  description:
    'Evaluates a view of a base (.base) over the vault and prints its rows; without a view, the first one.',
  effect: 'read',
  input: z.object({
    file: z.string().min(1).describe('The base, or a note with a base or a dataview block.'),
    view: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The name of the view, or which one of the note: 2 is the second.'),
    this: This,
    format: Format,
    limit: limitOf(limits.resultsMax),
    offset: Offset,
  }),
  output,
  record: ['file', 'view', 'this', 'format', 'limit', 'offset'],
  positional: ['file', 'view'],
  examples: ['vaultdoor base Reading', `vaultdoor base Reading 'On the table' --format paths`],
  run: async (vault, { file, view, this: self, format, limit, offset }) => {
    const request = { base: file, ...given({ view, self }), limit, offset };
    return { ...(await queryBase(vault, { ...request, byGroup: format !== 'json' })), format };
  },
  isFault: hasNoView,
  text: printed,
  remarks,
});

export const queryTool = defineTool({
  name: 'query',
  title: 'Query',
  description:
    'Lists files by their properties: a filter, columns and a sort as bases write them, or a Dataview query.',
  effect: 'read',
  input: z.object({
    filter: z.string().min(1).describe('An expression, such as: rating > 6 && file.hasTag("film")'),
    columns: idList('Properties or expressions, with commas between them.'),
    sort: idList('The same; " desc" after one sorts the other way.'),
    group: z.string().min(1).exactOptional().describe('One property or expression.'),
    this: This,
    format: Format,
    limit: limitOf(limits.resultsMax),
    offset: Offset,
  }),
  output,
  record: ['sort', 'this', 'format', 'limit', 'offset'],
  positional: ['filter'],
  examples: [
    `vaultdoor query 'rating > 3' --columns file.name,rating --sort 'rating desc'`,
    `vaultdoor query 'file.hasTag("book")' --format paths`,
    `vaultdoor query 'TASK FROM "Projects" WHERE !completed'`,
  ],
  run: async (vault, { filter, columns, sort, group, this: self, format, limit, offset }) => {
    const query = { filter, ...given({ columns, sort, group }) };
    const request = { query, ...given({ self }), limit, offset };
    return { ...(await queryBase(vault, { ...request, byGroup: format !== 'json' })), format };
  },
  text: (answer, paint) => printed(answer, paint, { named: true }),
  remarks,
});

type Printed = z.output<typeof output>;

/** Whether there is nothing to print: no such view, or a Dataview query that cannot be evaluated. */
function hasNoView({ errors }: Printed): boolean {
  return errors.some(({ at, code }) => code === 'unknown_view' || at === 'query');
}

/** With `named`, every row of a table has the path of its file, unless a column says which it is. */
function printed(value: Printed, paint: Paint, { named = false } = {}): string {
  const { format, ...rest } = value;
  const answer = rest as unknown as BaseAnswer;
  if (format === 'json') return `${JSON.stringify(answer)}\n`;
  if (format !== 'table') return rowsText(answer, format);
  const hasPath =
    answer.type === 'task' ||
    (named && answer.view !== 'Dataview' && !answer.columns.some((id) => names.has(id)));
  const columns = [...(hasPath ? ['path'] : []), ...answer.titles].map((title) => ({
    title: plain(title),
  }));
  const cells = (rows: readonly number[]): string[] =>
    table(
      columns,
      rows.map((at) => {
        const path = hasPath ? [answer.paths[at] ?? ''] : [];
        return [...path, ...(answer.rows[at] ?? [])].map((cell) => plain(cellText(cell)));
      }),
      paint,
    );
  const positions = new Map(answer.paths.map((path, at) => [path, at]));
  if (answer.groups === undefined) return lines(cells(Array.from(answer.rows.keys())));
  return lines(
    answer.groups.flatMap(({ key, paths }) => {
      const here = paths.flatMap((path) => positions.get(path) ?? []);
      const title = plain(cellText(key)) || 'None';
      return here.length === 0 ? [] : [paint.strong(title), ...cells(here)];
    }),
  );
}

/** Columns that say which file it is. The columns of Dataview queries have titles of their own. */
const names: ReadonlySet<string> = new Set([
  'file',
  'file.name',
  'file.basename',
  'file.path',
  'file.file',
  'file.link',
]);

/** How many rows there are, the summaries, and what is wrong with the base. */
function remarks(value: Printed): readonly string[] {
  const answer = value as unknown as BaseAnswer;
  const { total, paths, summaries = {}, errors, warnings = [] } = answer;
  return [
    ...(total === 0 && errors.length === 0 ? ['No rows.'] : []),
    ...(total > paths.length && paths.length > 0
      ? [`${total} rows in all; use --limit and --offset to see the rest.`]
      : []),
    ...Object.entries(summaries).map(([id, cell]) => `${plain(id)}: ${plain(cellText(cell))}`),
    ...errors.map(({ at, line, column, message, count }) => {
      const place = line === undefined ? at : `${at} (line ${line}, column ${column})`;
      const files = count > 1 ? ` (${counted(count, 'file')})` : '';
      return plain(`${place}: ${message}${files}`);
    }),
    ...warnings.map(({ at, line, column, message }) => {
      const place = line === undefined ? at : `${at} (line ${line}, column ${column})`;
      return plain(`${place}: ${message}`);
    }),
  ];
}
