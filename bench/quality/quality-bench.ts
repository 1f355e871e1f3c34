import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unpackVault } from '../../test/support/unpack-vaults.ts';
import {
  languagesFolder,
  type QualityVault,
  qualityVaults,
  queryKinds,
  readQueries,
} from './read-queries.ts';
import { type Answered, type Scores, scoreAnswer, scoresOf } from './score-answers.ts';
import { askProgram, installMcpvault, type SearchProgram, vaultdoor } from './search-programs.ts';

// `npm run bench:quality` measures how well search finds what a person means, compared with
// `@bitbonsai/mcpvault`, whose search is the best among the programs that npm can install. Both get
// the same queries from the same client over stdio, and the same number of results. Fails if
// Vaultdoor is not better in both figures on every vault.
//
// --verbose   prints each query with both ranks, and the first result if it was not a wanted note
// --json      prints everything as one JSON object instead of the tables
// --ours      leaves out the other program, for tuning; nothing is compared, and nothing fails
// --vault x   measures only this vault; may be given several times

/** The answers of one program on one vault. */
interface Measured {
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
  for (const vault of qualityVaults.filter((name) => values.vault.includes(name))) {
    const measured = await measureVault(vault, programs);
    if (values.json) results[vault] = measured.map(resultOf);
    else printVault(vault, measured, values);
    if (!isAhead(measured)) process.exitCode = 1;
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
  else if (process.exitCode === 1)
    process.stdout.write('Vaultdoor is not better than the other program on every vault.\n');
}

async function measureVault(
  vault: QualityVault,
  programs: readonly SearchProgram[],
): Promise<readonly Measured[]> {
  const folder = vault === 'languages' ? languagesFolder : await unpackVault(vault);
  const queries = readQueries(vault);
  const measured: Measured[] = [];
  for (const program of programs) {
    const home = mkdtempSync(join(tmpdir(), 'vaultdoor-quality-'));
    let failures = 0;
    const onFailure = (query: { text: string }, failure: unknown): void => {
      failures++;
      process.stderr.write(`${program.name} failed on "${query.text}": ${String(failure)}\n`);
    };
    try {
      const lists = await askProgram(program, { folder, queries, home, onFailure });
      const answers = queries.map((query, index) => {
        const paths = lists[index] ?? [];
        return { ...scoreAnswer(query, paths), first: paths[0] };
      });
      measured.push({ program: program.name, answers, failures });
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    }
  }
  return measured;
}

/** Whether the first program is better than all others in both figures. */
function isAhead([ours, ...others]: readonly Measured[]): boolean {
  if (ours === undefined) return false;
  const { mrr, recall } = scoresOf(ours.answers);
  return others
    .map(({ answers }) => scoresOf(answers))
    .every((theirs) => mrr > theirs.mrr && recall > theirs.recall);
}

function printVault(
  vault: string,
  measured: readonly Measured[],
  options: { readonly verbose: boolean },
): void {
  const rows: Record<string, Record<string, number>> = {};
  for (const kind of [...queryKinds, 'all'] as const) {
    const scores = measured.map(({ program, answers }): [string, Scores] => [
      program,
      scoresOf(answers.filter(({ query }) => kind === 'all' || query.kind === kind)),
    ]);
    const queries = scores[0]?.[1].queries ?? 0;
    if (queries === 0) continue;
    rows[kind] = { queries };
    for (const [program, { mrr }] of scores) rows[kind][`MRR ${program}`] = shown(mrr);
    for (const [program, { recall }] of scores) rows[kind][`recall@10 ${program}`] = shown(recall);
  }
  console.log(vault);
  console.table(rows);
  for (const { program, failures } of measured) {
    if (failures > 0) console.log(`${program} failed on ${failures} queries.`);
  }
  if (options.verbose) printAnswers(measured);
}

/** Prints one line per query: the ranks, and the first result if it was not a wanted note. */
function printAnswers(measured: readonly Measured[]): void {
  const [ours] = measured;
  for (const [index, answer] of (ours?.answers ?? []).entries()) {
    const ranks = measured.map(({ answers }) => String(answers[index]?.rank ?? '-').padStart(3));
    const { kind, text, expected } = answer.query;
    const missed = answer.rank === 1 ? '' : `  (${expected[0]}; first: ${answer.first ?? 'none'})`;
    console.log(`${ranks.join(' ')}  ${kind.padEnd(10)} ${text}${missed}`);
  }
}

function resultOf({ program, answers, failures }: Measured): object {
  return {
    program,
    ...scoresOf(answers),
    failures,
    answers: answers.map(({ query, rank, recall, first }) => ({ ...query, rank, recall, first })),
  };
}

function shown(value: number): number {
  return Number(value.toFixed(3));
}
