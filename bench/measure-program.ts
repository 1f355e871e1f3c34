import { setTimeout } from 'node:timers/promises';
import type { BenchProgram } from './bench-programs.ts';
import { restoreWorld, type World } from './bench-world.ts';
import { isRight, type Question } from './right-answers.ts';
import { type Command, lateMs, type ServerAnswer, ServerClient } from './server-client.ts';

/**
 * What is measured, in milliseconds; `listBytes` is in bytes, and the last two are in megabytes.
 */
export type Measure =
  | Question
  | 'spawn'
  | 'spawnList'
  | 'listBytes'
  | 'searchFirst'
  | 'memoryIdle'
  | 'memoryAfter';

/** One figure. The time of a wrong answer, or of one that came too late, is not kept. */
export type Figure = number | 'wrong' | 'late';

export type Figures = Partial<Record<Measure, Figure>>;

/** If a question has taken longer than this in total, it is not asked more than twice. */
const enoughMs = 6_000;

/** How often each question is asked, and how long to wait before the idle memory is measured. */
export interface Pace {
  readonly rounds: number;
  readonly settleMs: number;
}

const usualPace: Pace = { rounds: 12, settleMs: 2_000 };

/** Asks one program every question that it has a tool for, and then restores the vault. */
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

/** The search comes first, so that its first time is that of a program that has just started. */
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

/**
 * The median of several calls, and the first of them; undefined if the program has no tool for it.
 */
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
  // Only the first call is cold, so the median is that of the later calls.
  const warm = times.length > 1 ? times.slice(1) : times;
  return { figure: median(warm), first: first ?? 'wrong' };
}

/** Asks until the program is ready. The time of the answer includes the waiting. */
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

/** The times from spawn to the answers of `initialize` and of `tools/list`. */
export interface StartTimes {
  readonly spawn: Figure;
  readonly spawnList: Figure;
}

/**
 * The median times of programs that are started in turns. Each is asked for its tools as soon as it
 * has answered `initialize`, as clients do.
 */
export async function measureSpawns(
  commands: readonly Command[],
  times: number,
): Promise<readonly StartTimes[]> {
  const all = commands.map((): { readonly hello: number; readonly list: number }[] => []);
  const failed = new Set<number>();
  for (let round = 0; round < times; round++) {
    for (const [n, command] of commands.entries()) {
      const client = new ServerClient(command);
      const { ms: hello, text } = await client.greet();
      const asked = await client.request('tools/list');
      if (text === undefined || asked.text === undefined) failed.add(n);
      all[n]?.push({ hello, list: hello + asked.ms });
      await client.end();
    }
  }
  return all.map((some, n) => {
    if (failed.has(n)) return { spawn: 'wrong', spawnList: 'wrong' };
    const of = (name: 'hello' | 'list'): number => median(some.map((each) => each[name]));
    return { spawn: of('hello'), spawnList: of('list') };
  });
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function keep(figures: Figures, measure: Measure, value: number | undefined): void {
  if (value !== undefined) figures[measure] = value;
}
