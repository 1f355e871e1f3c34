import { z } from 'zod';
import { record } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
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
    'Rows of an Obsidian base (.base) or Dataview query, or of files by properties: filter `rating > 6 && file.hasTag("film")`.',
  effect: 'read',
  input: z.object({
    filter: optionalText('Bases expression, or TABLE/LIST/TASK …'),
    columns: idList('rating, file.mtime, or expressions'),
    sort: idList('year desc'),
    group: optionalText('As sort'),
    base: optionalText('.base file, or note with blocks'),
    view: optionalText('Or block number; else the first'),
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
      group_count: z.number().optional(),
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
    const found = await queryBase(vault, {
      ...given({ base, view, self }),
      ...(Object.keys(query).length === 0 ? {} : { query }),
      limit,
      offset,
      byGroup: true,
    });
    const missing = found.errors.find(({ code }) => code === 'unknown_view');
    if (missing !== undefined) throw new VaultError('invalid_input', missing.message);
    const answer = withPaths(found);
    const problems = problemsOf(answer);
    const beside = { ...problems, ...besideRows(answer) };
    const rows = answer.rows.map((row) => row.map(compactCell));
    const shown = fitItems(rows, beside);
    const next = nextOffset({ total: answer.total, offset, shown: shown.length });
    if (format === 'md') {
      return {
        table: tableText(answer, shown.length, problems, { ...next, ...besideRows(answer) }),
      };
    }
    const ids = answer.columns.map((id) => id.replace(/^(?:note|formula)\./, ''));
    // What is wrong comes first: after many rows, or none, it would be passed over.
    const { total } = answer;
    return { ...problems, total, columns: ids, rows: shown, ...next, ...besideRows(answer) };
  },
  text: (answer) => ('table' in answer ? answer.table : JSON.stringify(answer)),
});

/**
 * The answer with the path of each row in its first column. A link to the same file, which Dataview
 * has there, is left out; the rows of groups have no path.
 */
function withPaths(answer: BaseAnswer): BaseAnswer {
  const { paths, rows, columns, titles } = answer;
  if (paths.length > 0 && paths.every((path) => path === '')) return answer;
  const isRepeated =
    answer.type !== 'task' &&
    columns[0] === 'File' &&
    rows.every(([first], at) => record(first)['path'] === paths[at]);
  const from = isRepeated ? 1 : 0;
  return {
    ...answer,
    columns: ['path', ...columns.slice(from)],
    titles: ['path', ...titles.slice(from)],
    rows: rows.map((row, at) => [paths[at] ?? '', ...row.slice(from)]),
  };
}

/** What is wrong with a base or a query; long lists are cut. */
function problemsOf({ errors, warnings = [] }: BaseAnswer) {
  return {
    ...(errors.length === 0 ? {} : { errors: firstOf(errors.map((error) => ({ ...error }))) }),
    ...(warnings.length === 0
      ? {}
      : { warnings: firstOf(warnings.map((warning) => ({ ...warning }))) }),
  };
}

/**
 * What an answer has besides its rows. The rows are in the order of the groups, so a group has only
 * its key and how many rows it has in all; where there are too many groups, `group_count` counts them.
 */
function besideRows({ groups = [], summaries }: BaseAnswer) {
  const counted = groups.map(({ key, paths, summaries: own }) => ({
    key: compactCell(key),
    count: paths.length,
    ...(own === undefined ? {} : { summaries: compactCells(own) }),
  }));
  const shown = firstOf(counted, limits.resultsMax);
  return {
    ...(shown.length === 0 ? {} : { groups: shown }),
    ...(shown.length === groups.length ? {} : { group_count: groups.length }),
    ...(summaries === undefined ? {} : { summaries: compactCells(summaries) }),
  };
}

function compactCells(cells: NonNullable<BaseAnswer['summaries']>) {
  return Object.fromEntries(Object.entries(cells).map(([id, value]) => [id, compactCell(value)]));
}

/** The rows as a Markdown table, what is wrong above it, and the rest of the answer under it. */
function tableText(answer: BaseAnswer, count: number, problems: object, beside: object): string {
  const shown = { ...answer, rows: answer.rows.slice(0, count) };
  const wrong = Object.keys(problems).length === 0 ? '' : `${JSON.stringify(problems)}\n\n`;
  const rest = JSON.stringify({ total: answer.total, ...beside });
  return `${wrong}${rowsText(shown, 'md')}\n${rest}`;
}
