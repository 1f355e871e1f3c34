import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { compactCell } from '../../engine/operations/query/cell-text.ts';
import { type BaseAnswer, queryBase } from '../../engine/operations/query/query-base.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, countOr, given, optionalChoice, optionalText } from '../define/note-input.ts';
import { idList, rowsText } from '../wording/base-rows.ts';
import { firstOf, fitItems, nextOffset } from '../wording/fit-answer.ts';

/** A tool that evaluates a base, or a query in its language, over the properties of notes. */
export const queryNotesTool = defineTool({
  name: 'query_notes',
  title: 'Query notes',
  description:
    'Rows of an Obsidian base (.base), or of files by properties: filter `rating > 6 && file.hasTag("film")`.',
  effect: 'read',
  input: z.object({
    filter: optionalText('Bases expression'),
    columns: idList('rating, file.mtime, or expressions'),
    sort: idList('year desc'),
    group: optionalText('As sort'),
    base: optionalText('.base file'),
    view: optionalText('Else its first'),
    this: optionalText('Note that this means'),
    limit: countOr(50, 'At most', { max: limits.resultsMax }),
    offset: count('To skip'),
    format: optionalChoice(['json', 'md'], 'md: a table'),
  }),
  output: z.union([
    z.object({
      total: z.number(),
      columns: z.array(z.string()).readonly(),
      rows: z.array(z.array(z.unknown()).readonly()).readonly(),
      next_offset: z.number().optional(),
      groups: z.array(z.record(z.string(), z.unknown())).readonly().optional(),
      summaries: z.record(z.string(), z.unknown()).optional(),
      errors: z.array(z.record(z.string(), z.unknown())).readonly().optional(),
      warnings: z.array(z.record(z.string(), z.unknown())).readonly().optional(),
    }),
    z.object({ table: z.string() }),
  ]),
  record: ['base', 'view', 'this', 'limit', 'offset', 'format'],
  run: async (vault, { base, view, this: self, filter, columns, sort, group, ...rest }) => {
    const { limit, offset = 0, format } = rest;
    const query = given({ filter, columns, sort, group });
    const answer = await queryBase(vault, {
      ...given({ base, view, self }),
      ...(Object.keys(query).length === 0 ? {} : { query }),
      limit,
      offset,
    });
    const beside = besideRows(answer);
    const rows = answer.paths.map((path, at) => [
      path,
      ...(answer.rows[at] ?? []).map(compactCell),
    ]);
    const shown = fitItems(rows, beside);
    const next = nextOffset({ total: answer.total, offset, shown: shown.length });
    if (format === 'md') return { table: tableText(answer, shown.length, { ...next, ...beside }) };
    const ids = ['path', ...answer.columns.map((id) => id.replace(/^(?:note|formula)\./, ''))];
    return { total: answer.total, columns: ids, rows: shown, ...next, ...beside };
  },
  text: (answer) => ('table' in answer ? answer.table : JSON.stringify(answer)),
});

/** What an answer has besides its rows; long lists are cut. */
function besideRows({ groups, summaries, errors, warnings = [] }: BaseAnswer) {
  return {
    ...(groups === undefined
      ? {}
      : {
          groups: firstOf(
            groups.map(({ key, ...group }) => ({ key: compactCell(key), ...group })),
            limits.resultsMax,
          ),
        }),
    ...(summaries === undefined
      ? {}
      : {
          summaries: Object.fromEntries(
            Object.entries(summaries).map(([id, value]) => [id, compactCell(value)]),
          ),
        }),
    ...(errors.length === 0 ? {} : { errors: firstOf(errors.map((error) => ({ ...error }))) }),
    ...(warnings.length === 0
      ? {}
      : { warnings: firstOf(warnings.map((warning) => ({ ...warning }))) }),
  };
}

/** The rows as a Markdown table with their paths first, and the rest of the answer under it. */
function tableText(answer: BaseAnswer, count: number, beside: object): string {
  const shown = {
    paths: answer.paths.slice(0, count),
    titles: ['path', ...answer.titles],
    rows: answer.rows.slice(0, count).map((row, at) => [answer.paths[at] ?? '', ...row]),
  };
  const rest = JSON.stringify({ total: answer.total, ...beside });
  return `${rowsText(shown, 'md')}\n${rest}`;
}
