import { setTimeout } from 'node:timers/promises';
import type { BenchProgram } from './bench-programs.ts';
import { restoreWorld, type World } from './bench-world.ts';
import { isRight, type Question } from './right-answers.ts';
import { type Command, lateMs, type ServerAnswer, ServerClient } from './server-client.ts';

/** What is measured: milliseconds, bytes for `listBytes`, megabytes for the last two. */
export type Measure =
  | Question
  | 'spawn'
  | 'list'
  | 'listBytes'
  | 'searchFirst'
  | 'memoryIdle'
  | 'memoryAfter';

/** One figure; a wrong answer has no time that would mean something. */
export type Figure = number | 'wrong' | 'late';

export type Figures = Partial<Record<Measure, Figure>>;

/** What takes longer than this is asked twice only: once as the first time, once warm. */
const enoughMs = 6_000;

/** How often each thing is asked, and how long a program settles before its idle memory is looked at. */
export interface Pace {
  readonly rounds: number;
  readonly settleMs: number;
}

const usualPace: Pace = { rounds: 12, settleMs: 2_000 };

/** Asks one program everything that it has a tool for, and puts the vault back as it was. */
export async function measureProgram(
  program: BenchProgram,
  world: World,
  { rounds, settleMs }: Pace = usualPace,
): Promise<Figures> {
  const figures: Figures = {};
  const connected = async (): Promise<ServerClient> => {
    const fresh = new ServerClient(program.command(world.folder));
    await fresh.greet();
    return fresh;
  };
  let client = await connected();
  try {
    const list = await client.request('tools/list');
    figures.list = list.text === undefined ? 'wrong' : list.ms;
    if (list.text !== undefined) figures.listBytes = list.bytes;
    await setTimeout(settleMs);
    keep(figures, 'memoryIdle', client.memoryMb());
    for (const question of questions) {
      const asked = await askOften(client, program, { question, world, rounds });
      if (asked === undefined) continue;
      figures[question] = asked.figure;
      if (question === 'search') figures.searchFirst = asked.first;
      if (asked.figure !== 'late') continue;
      await client.kill();
      client = await connected();
    }
    keep(figures, 'memoryAfter', client.memoryMb());
  } finally {
    await client.end();
    const hasChanged = program.asks.append !== undefined || program.asks.rename !== undefined;
    if (hasChanged) restoreWorld(world.folder);
  }
  return figures;
}

/** The search comes first, so that its first time is that of a program which knows nothing yet. */
const questions: readonly Question[] = [
  'search',
  'read',
  'name',
  'tags',
  'tagged',
  'backlinks',
  'append',
  'rename',
];

interface AskedOften {
  readonly question: Question;
  readonly world: World;
  readonly rounds: number;
}

/** The median of several turns, and the first of them; undefined for what it cannot be asked. */
async function askOften(
  client: ServerClient,
  program: BenchProgram,
  { question, world, rounds }: AskedOften,
): Promise<{ readonly figure: Figure; readonly first: Figure } | undefined> {
  const ask = program.asks[question];
  if (ask === undefined) return undefined;
  const times: number[] = [];
  const began = performance.now();
  let first: number | undefined;
  for (let turn = 0; turn < rounds; turn++) {
    if (turn > 1 && performance.now() - began > enoughMs) break;
    const asked = { tool: ask.tool, args: ask.args(world, turn) };
    const answer = await askUntilReady(client, program, asked);
    const failure = answer.late ? 'late' : 'wrong';
    const isDone = answer.text !== undefined && isRight[question](answer.text, world, turn);
    if (!isDone) return { figure: failure, first: first ?? failure };
    first ??= answer.ms;
    times.push(answer.ms);
  }
  // What is asked often is warm from the second time on.
  const warm = times.length > 1 ? times.slice(1) : times;
  return { figure: median(warm), first: first ?? 'wrong' };
}

/** An answer, with the time that it took to be ready for it. */
async function askUntilReady(
  client: ServerClient,
  { isNotYet }: BenchProgram,
  { tool, args }: { readonly tool: string; readonly args: object },
): Promise<ServerAnswer> {
  const began = performance.now();
  for (;;) {
    const answer = await client.call(tool, args);
    const ms = performance.now() - began;
    const said = answer.text ?? answer.failure ?? '';
    if (isNotYet?.(said) !== true) return { ...answer, ms };
    if (ms > lateMs) return { ...answer, ms, late: true, text: undefined };
  }
}

/** From spawn to the answer of `initialize`: the medians of programs that are started in turns. */
export async function measureSpawns(
  commands: readonly Command[],
  times: number,
): Promise<readonly Figure[]> {
  const all = commands.map((): number[] => []);
  const failed = new Set<number>();
  for (let round = 0; round < times; round++) {
    for (const [n, command] of commands.entries()) {
      const client = new ServerClient(command);
      const { ms, text } = await client.greet();
      if (text === undefined) failed.add(n);
      all[n]?.push(ms);
      await client.end();
    }
  }
  return all.map((some, n) => (failed.has(n) ? 'wrong' : median(some)));
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function keep(figures: Figures, measure: Measure, value: number | undefined): void {
  if (value !== undefined) figures[measure] = value;
}
