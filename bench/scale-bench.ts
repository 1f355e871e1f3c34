import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { ScaleClient } from './scale-client.ts';
import { type Question, questions } from './scale-questions.ts';
import { type Probe, writeProbes } from './write-probes.ts';

// `npm run bench:scale [-- --notes 1000,100000 --turns 9 --only tags]` measures the same questions
// in vaults of different sizes. The questions are about probe notes, which have the same links,
// tags and words in every vault. There is one process for each vault, and the processes are asked
// in turns, so that other work on the machine slows all of them alike. Fails if the time of a
// question grows with the vault although it should depend only on the answer, and if a process uses
// too much memory.

/**
 * A question fails only if it grows by more than both of these between the smallest and the largest
 * vault; noise alone may exceed one of them. The times within which the fastest quarter of the
 * answers came are compared: other work on the machine slows some answers down, a fault of ours all
 * of them.
 */
const growthMax = 4;
const growthMsMax = 5;

/**
 * The memory that a process may use after questions of every kind: a fixed part for Node, its
 * threads and SQLite, and a part that grows with the vault.
 */
const memoryBudget = { fixedMb: 225, kbPerNote: 0.25 };

interface Served {
  readonly notes: number;
  readonly folder: string;
  readonly cache: string;
  readonly client: ScaleClient;
  readonly probes: readonly Probe[];
  readonly idleMb: number;
}

async function serve(notes: number, turns: number): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-scale-'));
  folders.push(folder);
  const vault = join(folder, 'vault');
  generateVault(vault, { notes });
  const probes = writeProbes(vault, Math.max(turns + 1, 21));
  const cache = join(folder, 'cache');
  const first = new ScaleClient(vault, cache);
  await first.untilIndexed();
  await first.end();
  // A second process is measured, because the first still has memory from building the index.
  const client = new ScaleClient(vault, cache);
  await client.untilIndexed();
  await client.untilQuiet();
  return { notes, folder: vault, cache, client, probes, idleMb: client.memoryMb() ?? 0 };
}

const folders: string[] = [];

interface Figures {
  /** The time of the first answer in this process, and the median of all others. */
  readonly firstMs: number;
  readonly middleMs: number;
  /** A quarter of the answers took no longer than this. */
  readonly quickMs: number;
  readonly wrong: string | undefined;
}

/** Asks every vault the same question in turn, `turns` times after the first. */
async function measure(
  question: Question,
  served: readonly Served[],
  turns: number,
): Promise<readonly Figures[]> {
  const times = served.map((): number[] => []);
  const wrong = served.map((): string | undefined => undefined);
  for (let turn = 0; turn <= turns; turn++) {
    for (const [at, { client, folder, probes }] of served.entries()) {
      const probe = probes[turn % probes.length] as Probe;
      const answer = await question.ask({ client, folder, probe, turn });
      times[at]?.push(answer.ms);
      if (!shows(question, probe, answer.text)) wrong[at] ??= answer.text.slice(0, 300);
    }
  }
  return times.map(([first = 0, ...rest], at) => {
    const sorted = rest.sort((a, b) => a - b);
    return {
      firstMs: first,
      middleMs: sorted[sorted.length >> 1] ?? 0,
      quickMs: sorted[sorted.length >> 2] ?? 0,
      wrong: wrong[at],
    };
  });
}

function shows({ shows: wanted }: Question, probe: Probe, text: string): boolean {
  return wanted instanceof RegExp ? wanted.test(text) : text.includes(wanted(probe));
}

/** Patterns that hide about a hundredth of the notes, and all attachments. */
const hide = ['--hide', 'Attachments/**', '--hide', '*ofat*.md'];

/**
 * Asks the questions about the whole vault again, in turns without and with hidden files: of two
 * processes on the same vault. Answers the rows of a table.
 */
async function measureHidden(
  whole: Served,
  turns: number,
): Promise<Record<string, Record<string, string>>> {
  const client = new ScaleClient(whole.folder, whole.cache, hide);
  await client.untilIndexed();
  await client.untilQuiet();
  const rows: Record<string, Record<string, string>> = {};
  for (const question of questions.filter(({ hides }) => hides === true)) {
    const [without, withHidden] = await measure(question, [whole, { ...whole, client }], turns);
    const [a, b] = [without?.middleMs ?? 0, withHidden?.middleMs ?? 0];
    rows[question.what] = {
      without: shown(a),
      'with --hide': shown(b),
      'the first': shown(withHidden?.firstMs ?? 0),
    };
  }
  await client.end();
  return rows;
}

const shown = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0);

/** Why a question fails; undefined if it passes. */
function faultOf(question: Question, figures: readonly Figures[]): string | undefined {
  const wrong = figures.find((figure) => figure.wrong !== undefined)?.wrong;
  if (wrong !== undefined) return `answered wrongly: ${wrong}`;
  const small = figures[0]?.quickMs ?? 0;
  const large = figures.at(-1)?.quickMs ?? 0;
  if (question.grows !== undefined || large - small <= growthMsMax) return undefined;
  return large > growthMax * small ? 'grows with the vault' : undefined;
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '1000,10000,100000' },
      turns: { type: 'string', default: '15' },
      only: { type: 'string', default: '' },
    },
  });
  const sizes = values.notes.split(',').map(Number);
  const turns = Number(values.turns);
  const served: Served[] = [];
  try {
    for (const notes of sizes) {
      served.push(await serve(notes, turns));
      console.error(`${notes} notes are indexed.`);
    }
    const faults = new Map<string, string>();
    const table: Record<string, Record<string, string>> = {};
    for (const question of questions.filter(({ what }) => what.includes(values.only))) {
      const figures = await measure(question, served, turns);
      const fault = faultOf(question, figures);
      if (fault !== undefined) faults.set(question.what, fault);
      table[question.what] = rowOf(question, figures, sizes, fault);
      console.error(
        `${question.what}: ${figures.map(({ middleMs }) => shown(middleMs)).join(', ')}`,
      );
    }
    table['memory when idle, MB'] = Object.fromEntries(
      served.map(({ notes, idleMb }) => [String(notes), idleMb.toFixed(0)]),
    );
    table['memory after all this, MB'] = {};
    for (const { notes, client } of served) {
      const mb = client.memoryMb() ?? 0;
      table['memory after all this, MB'][notes] = mb.toFixed(0);
      const budget = memoryBudget.fixedMb + (memoryBudget.kbPerNote * notes) / 1_000;
      if (mb > budget) faults.set(`memory at ${notes} notes`, `over ${budget.toFixed(0)} MB`);
    }
    console.log('Median times from request to answer, without the first answer, in ms:');
    console.table(table);
    const largest = served.at(-1);
    if (largest !== undefined && values.only === '') {
      console.log(`The same at ${largest.notes} notes, without and with hidden files:`);
      console.table(await measureHidden(largest, turns));
    }
    for (const [what, fault] of faults) console.error(`✗ ${what}: ${fault}`);
    for (const { what, grows } of questions) {
      if (grows !== undefined) console.log(`"${what}" may grow with the vault: ${grows}.`);
    }
    if (faults.size > 0) process.exitCode = 1;
  } finally {
    for (const { client } of served) await client.end();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(
  question: Question,
  figures: readonly Figures[],
  sizes: readonly number[],
  fault: string | undefined,
): Record<string, string> {
  const small = figures[0]?.middleMs ?? 0;
  const large = figures.at(-1)?.middleMs ?? 0;
  return {
    ...Object.fromEntries(sizes.map((notes, at) => [notes, shown(figures[at]?.middleMs ?? 0)])),
    'largest by smallest': `${(large / small).toFixed(1)}x`,
    follows:
      fault === undefined ? (question.grows === undefined ? 'the answer' : 'the vault') : '✗',
    'the first in the largest': shown(figures.at(-1)?.firstMs ?? 0),
  };
}
