import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unpackVault } from '../../test/support/unpack-vaults.ts';
import {
  languagesFolder,
  lengthOf,
  type QualityVault,
  type QuerySet,
  qualityVaults,
  queryLengths,
  querySets,
  readQueries,
} from './read-queries.ts';
import { type Answered, scoreAnswer, scoresOf } from './score-answers.ts';
import { askProgram, installMcpvault, type SearchProgram, vaultdoor } from './search-programs.ts';

// `npm run bench:quality` measures how well search finds what a person means, compared with
// `@bitbonsai/mcpvault`, whose search is the best among the programs that npm can install. Both get
// the same queries from the same client over stdio, and the same number of results. There are two sets
// of queries, side by side: those by which the ranking was chosen, and others (see `querySets`). Fails
// if Vaultdoor is behind in a figure, in any vault or for any length of query.
//
// --verbose   prints each query of the first set with both ranks, and the first result if it was not a
//             wanted note
// --json      prints everything as one JSON object instead of the tables; of the second set only figures
// --ours      leaves out the other program, for tuning; nothing is compared, and nothing fails
// --vault     measures only this vault; can be repeated

/** The answers of one program to one set of queries, and how often it failed. */
interface Measured {
  readonly set: QuerySet;
  readonly program: string;
  readonly answers: readonly (Answered & { readonly first: string | undefined })[];
  readonly failures: number;
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      verbose: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      ours: { type: 'boolean', default: false },
      vault: { type: 'string', multiple: true, default: [...qualityVaults] },
    },
  });
  const unknown = values.vault.filter((name) => !qualityVaults.some((vault) => vault === name));
  if (unknown.length > 0)
    throw new Error(`There are no queries for these vaults: ${unknown.join(', ')}`);
  const programs = values.ours ? [vaultdoor] : [vaultdoor, await installMcpvault()];
  const results: Record<string, unknown> = {};
  const all: Measured[] = [];
  const rows: Rows = {};
  for (const vault of qualityVaults.filter((name) => values.vault.includes(name))) {
    const measured = await measureVault(vault, programs);
    all.push(...measured);
    results[vault] = measured.map(resultOf);
    rows[vault] = rowOf(measured);
    if (values.verbose) printAnswers(vault, measured);
  }
  for (const length of queryLengths) {
    rows[length] = rowOf(
      all.map((measured) => ({
        ...measured,
        answers: measured.answers.filter(({ query }) => lengthOf(query) === length),
      })),
    );
  }
  rows['all'] = rowOf(all);
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ rows, results }, undefined, 2)}\n`);
    return;
  }
  for (const set of querySets) {
    console.log(set);
    console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row[set]])));
  }
  for (const { program, set, failures } of all) {
    if (failures > 0) console.log(`${program} failed on ${failures} queries of the set ${set}.`);
  }
  const behind = values.ours ? [] : Object.keys(rows).filter((name) => isBehind(rows[name] ?? {}));
  if (behind.length === 0) return;
  console.log(`Vaultdoor is behind the other program in: ${behind.join(', ')}`);
  process.exitCode = 1;
}

async function measureVault(
  vault: QualityVault,
  programs: readonly SearchProgram[],
): Promise<readonly Measured[]> {
  const folder = vault === 'languages' ? languagesFolder : await unpackVault(vault);
  const measured: Measured[] = [];
  for (const program of programs) {
    const home = mkdtempSync(join(tmpdir(), 'vaultdoor-quality-'));
    try {
      for (const set of querySets) {
        const queries = readQueries(vault, set);
        let failures = 0;
        const onFailure = (query: { text: string }, failure: unknown): void => {
          failures++;
          process.stderr.write(`${program.name} failed on "${query.text}": ${String(failure)}\n`);
        };
        const lists = await askProgram(program, { folder, queries, home, onFailure });
        const answers = queries.map((query, index) => {
          const paths = lists[index] ?? [];
          return { ...scoreAnswer(query, paths), first: paths[0] };
        });
        measured.push({ set, program: program.name, answers, failures });
      }
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    }
  }
  return measured;
}

/** By the name of a vault or a length, and by the set: the columns of the table. */
type Rows = Record<string, Partial<Record<QuerySet, Record<string, number>>>>;

function rowOf(measured: readonly Measured[]): Rows[string] {
  const row: Rows[string] = {};
  for (const set of querySets) {
    const programs = new Set(measured.map(({ program }) => program));
    const scores = Array.from(programs, (program) => {
      const own = measured.filter((one) => one.set === set && one.program === program);
      return [program, scoresOf(own.flatMap(({ answers }) => answers))] as const;
    });
    const queries = scores[0]?.[1].queries ?? 0;
    if (queries === 0) continue;
    row[set] = {
      queries,
      ...Object.fromEntries(scores.map(([name, { mrr }]) => [`MRR ${name}`, shown(mrr)])),
      ...Object.fromEntries(
        scores.map(([name, { recall }]) => [`recall@10 ${name}`, shown(recall)]),
      ),
    };
  }
  return row;
}

/** Whether the first program is worse than the other in a figure of a set. */
function isBehind(row: Rows[string]): boolean {
  return Object.values(row).some((figures) =>
    ['MRR', 'recall@10'].some(
      (figure) => (figures[`${figure} vaultdoor`] ?? 0) < (figures[`${figure} mcpvault`] ?? 0),
    ),
  );
}

/** Prints one line per tuned query: the ranks, and the first result if it was not a wanted note. */
function printAnswers(vault: string, measured: readonly Measured[]): void {
  const tuned = measured.filter(({ set }) => set === 'tuned');
  console.log(vault);
  for (const [index, answer] of (tuned[0]?.answers ?? []).entries()) {
    const ranks = tuned.map(({ answers }) => String(answers[index]?.rank ?? '-').padStart(3));
    const { kind, text, expected } = answer.query;
    const missed = answer.rank === 1 ? '' : `  (${expected[0]}; first: ${answer.first ?? 'none'})`;
    console.log(`${ranks.join(' ')}  ${kind.padEnd(10)} ${text}${missed}`);
  }
}

function resultOf({ set, program, answers, failures }: Measured): object {
  return {
    set,
    program,
    ...scoresOf(answers),
    failures,
    ...(set === 'tuned' && {
      answers: answers.map(({ query, rank, recall, first }) => ({ ...query, rank, recall, first })),
    }),
  };
}

function shown(value: number): number {
  return Number(value.toFixed(3));
}
