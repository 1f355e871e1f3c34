import { type Cost, emptyCost } from './session.ts';
import type { Task } from './tasks.ts';

/** How a program did a task. */
export interface Result {
  readonly cost: Cost;
  /** What is wrong; undefined when the check passed. */
  readonly wrong: string | undefined;
}

/** A program with what it pays once and its results by the number of the task. */
export interface Column {
  readonly name: string;
  readonly fixed: {
    readonly tools: number;
    readonly listBytes: number;
    readonly instructionBytes: number;
    readonly tokens: number;
  };
  /** Undefined where the program has no tools for a task. */
  readonly results: ReadonlyMap<string, Result | undefined>;
}

const figure = (value: number): string => value.toLocaleString('en-US');

/** The results as tables of Markdown, ours first, and below them what they come to. */
export function economyTable(tasks: readonly Task[], columns: readonly Column[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const names = columns.map(({ name }) => name);
  const rule = (count: number): string => `|${'---|'.repeat(count)}`;
  const once = [
    row(['', ...names]),
    rule(names.length + 1),
    row([
      '`tools/list`, bytes (tools)',
      ...columns.map(({ fixed }) => `${figure(fixed.listBytes)} (${fixed.tools})`),
    ]),
    row(['instructions, bytes', ...columns.map(({ fixed }) => figure(fixed.instructionBytes))]),
    row(['both, tokens', ...columns.map(({ fixed }) => figure(fixed.tokens))]),
  ];
  const rows = [
    row(['#', 'task', 'vault', ...names]),
    rule(names.length + 3),
    ...tasks.map(({ id, title, vault }) =>
      row([id, title, vault, ...columns.map(({ results }) => cell(results.get(id)))]),
    ),
    row(['', 'all', '', ...columns.map(totalCell)]),
    row(['', 'all, with list and instructions', '', ...columns.map(grandTotalCell)]),
    row([
      '',
      'right',
      '',
      ...columns.map(({ results }) => `${rightOnes(results)} of ${tasks.length}`),
    ]),
  ];
  return [...once, '', ...rows, '', ...verdict(tasks, columns)].join('\n');
}

function cell(result: Result | undefined): string {
  if (result === undefined) return '✗';
  const { calls, bytes, tokens, failed } = result.cost;
  const errors = failed === 0 ? '' : `, ${failed} failed`;
  const mark = result.wrong === undefined ? '✓' : '✗';
  return `${calls}/${figure(bytes)}/${figure(tokens)}${errors} ${mark}`;
}

function totalOf({ results }: Column): Cost {
  const total = emptyCost();
  for (const result of results.values()) {
    if (result === undefined) continue;
    for (const key of ['calls', 'bytes', 'tokens', 'failed', 'context'] as const) {
      total[key] += result.cost[key];
    }
  }
  return total;
}

function totalCell(column: Column): string {
  const { calls, bytes, tokens } = totalOf(column);
  return `${calls}/${figure(bytes)}/${figure(tokens)}`;
}

function grandTotalCell(column: Column): string {
  const { calls, bytes, tokens } = totalOf(column);
  const { listBytes, instructionBytes, tokens: once } = column.fixed;
  return `${calls}/${figure(bytes + listBytes + instructionBytes)}/${figure(tokens + once)}`;
}

/** The tasks whose answers came with auto-context, and its size. */
function contextIn({ results }: Column): string {
  const rows = [...results].flatMap(([id, result]) =>
    result === undefined || result.cost.context === 0
      ? []
      : [`${id} ${figure(result.cost.context)}`],
  );
  return rows.join(', ') || 'none';
}

function rightOnes(results: Column['results']): number {
  return [...results.values()].filter((result) => result && result.wrong === undefined).length;
}

/**
 * Says in which tasks the first program costs the fewest bytes, and in which a peer that is right
 * needs fewer calls. Empty when no peer was run.
 */
export function verdict(tasks: readonly Task[], columns: readonly Column[]): readonly string[] {
  const [ours, ...peers] = columns;
  if (ours === undefined || peers.length === 0) return [];
  const dearer: string[] = [];
  const moreCalls: string[] = [];
  let fewest = 0;
  for (const { id } of tasks) {
    const mine = ours.results.get(id);
    if (mine === undefined || mine.wrong !== undefined) {
      dearer.push(`${id} is wrong`);
      continue;
    }
    const right = peers.flatMap(({ name, results }) => {
      const result = results.get(id);
      return result === undefined || result.wrong !== undefined ? [] : [{ name, ...result.cost }];
    });
    const cheaper = right.filter(({ bytes }) => bytes < mine.cost.bytes);
    if (cheaper.length === 0) fewest += 1;
    for (const { name, bytes } of cheaper) {
      dearer.push(`${id} by ${figure(mine.cost.bytes - bytes)} (${name})`);
    }
    for (const { name, calls } of right) {
      if (calls < mine.cost.calls) moreCalls.push(`${id} (${name})`);
    }
  }
  return [
    `Right: ${rightOnes(ours.results)} of ${tasks.length}.`,
    `Fewest bytes in ${fewest} of ${tasks.length}, of those that are right. More than a right peer: ${dearer.join('; ') || 'none'}.`,
    `Auto-context, which each vault sends once, is ${figure(totalOf(ours).context)} of these bytes: ${contextIn(ours)}.`,
    `More calls than a right peer: ${moreCalls.join(', ') || 'none'}.`,
  ];
}
