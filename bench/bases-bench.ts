import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { ProbedClient, probed } from './holds-bench.ts';
import { ScaleClient } from './scale-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';

// `npm run bench:bases [-- --notes 10000,100000 --turns 9]` measures the first page of 50 rows of
// queries in the language of bases, over stdio, in generated vaults. Beside each query is the same
// one in a form that the index cannot decide, so that every note is evaluated, and beside all of them
// reading every file of the vault once. "another" is asked right after a note has changed. `--folder`
// keeps the vaults and their indexes there for the next run. At first, hostile filters show how long
// they hold the main thread of the server.

/** Of this many notes, one gets a `status`; half of those are open. */
const notesPerStatus = 100;
const place = 'Bench of bases';

interface Asked {
  readonly name: string;
  readonly query: { readonly filter?: string; readonly [more: string]: unknown };
}

const page = { columns: ['file.name', 'rating'], limit: 50 };

const questions: readonly Asked[] = [
  {
    name: 'rating > 4',
    query: { filter: 'rating > 4', ...page },
  },
  {
    name: 'status == "open"',
    query: { filter: 'status == "open"', ...page },
  },
  {
    name: 'created > date',
    query: { filter: 'created > "2026-11-15"', ...page },
  },
  {
    name: 'file.hasTag',
    query: { filter: 'file.hasTag("benched")', ...page },
  },
  {
    name: 'file.inFolder',
    query: { filter: `file.inFolder("${place}")`, ...page },
  },
  {
    name: 'file.mtime > now() - "7d"',
    query: { filter: 'file.mtime > now() - "7d"', ...page },
  },
  {
    name: 'rating > 4, formula column',
    query: { filter: 'rating > 4', columns: ['file.name', 'rating * 2 + " stars"'], limit: 50 },
  },
  {
    name: 'rating > 4, sorted by rating, file.name',
    query: { filter: 'rating > 4', ...page, sort: ['rating desc', 'file.name'] },
  },
  {
    name: 'rating > 4, grouped by created',
    query: { filter: 'rating > 4', ...page, group: 'created' },
  },
  { name: 'all, sorted by rating', query: { ...page, sort: ['rating desc'] } },
  { name: 'all, sorted by file.name', query: { ...page, sort: ['file.name'] } },
  { name: 'all, sorted by file.mtime', query: { ...page, sort: ['file.mtime desc'] } },
  { name: 'file.name.contains("open")', query: { filter: 'file.name.contains("open")', ...page } },
];

function makeVault(folder: string, notes: number): void {
  generateVault(folder, { notes });
  const old = new Date(Date.now() - 90 * 86_400_000);
  for (const path of notesIn(folder)) utimesSync(path, old, old);
  mkdirSync(join(folder, place), { recursive: true });
  for (let n = 0; n < notes / notesPerStatus; n++) {
    const status = n % 2 === 0 ? 'open' : 'closed';
    writeNote(folder, n, `status: ${status}\nrating: ${1 + (n % 5)}`);
  }
}

function writeNote(folder: string, n: number, properties: string): void {
  const text = `---\n${properties}\ntags: [benched/deep]\n---\nA note of the bench.\n`;
  writeFileSync(join(folder, place, `Benched ${n}.md`), text);
}

function notesIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file));
}

/** How long it takes to read every note and look for a property in it. */
function readEveryFile(folder: string): number {
  const began = performance.now();
  let found = 0;
  for (const path of notesIn(folder)) {
    const head = /^---\n([\s\S]*?)\n---/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
    if (Number(/^rating: (.*)$/m.exec(head)?.[1] ?? 0) > 4) found++;
  }
  if (found === 0) throw new Error('No note of this vault has a rating.');
  return performance.now() - began;
}

const middle = (times: readonly number[]): number =>
  Array.from(times).sort((a, b) => a - b)[times.length >> 1] ?? 0;

async function ask(client: ScaleClient, query: object): Promise<{ ms: number; total: number }> {
  const { ms, text } = await client.call('query_notes', query);
  const total = Number(/"total":(\d+)/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(total)) throw new Error(text.slice(0, 300));
  return { ms, total };
}

async function measure(folder: string, notes: number, turns: number): Promise<void> {
  const [vault, cache] = [join(folder, `vault-${notes}`), join(folder, `cache-${notes}`)];
  if (!existsSync(vault)) makeVault(vault, notes);
  const builder = new ScaleClient(vault, cache);
  await builder.untilIndexed();
  await builder.untilQuiet();
  await builder.end();
  const client = new ScaleClient(vault, cache);
  await client.untilIndexed();
  await client.untilQuiet();
  const readMs = readEveryFile(vault);
  const rows: Record<string, Record<string, string | number>> = {};
  for (const { name, query } of questions) {
    // The index cannot decide this, so every note is evaluated.
    const plain = query.filter === undefined ? undefined : `(${query.filter}) || false`;
    const first = await ask(client, query);
    const times: number[] = [];
    const plainTimes: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const answer = await ask(client, query);
      times.push(answer.ms);
      if (plain === undefined || turn > turns / 3) continue;
      const same = await ask(client, { ...query, filter: plain });
      plainTimes.push(same.ms);
      if (same.total !== answer.total) throw new Error(`${name}: ${answer.total}, ${same.total}`);
    }
    writeNote(vault, 0, `status: open\nrating: ${5 + (Object.keys(rows).length % 2)}`);
    await client.call('read_note', { name: `${place}/Benched 0` });
    const changed = await ask(client, query);
    const [ms, plainMs] = [middle(times), middle(plainTimes)];
    rows[name] = {
      rows: first.total,
      'first ms': first.ms.toFixed(0),
      ms: ms.toFixed(1),
      'another ms': changed.ms.toFixed(1),
      'every note ms': plain === undefined ? '' : plainMs.toFixed(0),
      ratio: plain === undefined ? '' : `${(plainMs / ms).toFixed(0)}×`,
      'to reading': `${(readMs / ms).toFixed(0)}×`,
    };
  }
  console.log(`\n${notes} notes; reading every file ${readMs.toFixed(0)} ms`);
  console.table(rows);
  console.log(`memory ${client.memoryMb()?.toFixed(0)} MB`);
  await client.end();
}

/** Filters of which one row alone takes long. */
const hostile: Readonly<Record<string, string>> = {
  'a text of 800,000 characters, again and again':
    'list("ab".repeat(400000)).map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map("ab".repeat(400000).lower().title().length))).length > 5',
  'lists in lists in lists': (() => {
    const big = '[1,2,3,4,5,6,7,8,9,10]';
    return `${big}.map(${big}.map(${big}.map(${big}.map(value + "x".repeat(9).title())))).flat().length > 99`;
  })(),
};

/** How long hostile filters hold the main thread of the server, and so everybody else. */
async function measureHolds(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bases-'));
  const vault = join(folder, 'vault');
  generateVault(vault, { notes: 50 });
  const server = new ProbedClient(probed(vaultdoorCommand(vault, join(folder, 'cache'), 'notes')));
  try {
    await server.greet();
    await server.call('query_notes', { filter: 'rating > 0' });
    for (const [name, filter] of Object.entries(hostile)) {
      await server.holdMs();
      const { ms, failure } = await server.call('query_notes', { filter });
      const hold = (await server.holdMs()).toFixed(0);
      const outcome = failure === undefined ? 'answered' : `"${failure.slice(0, 50)}"`;
      console.log(`${name}: the loop was held ${hold} ms; ${outcome} after ${ms.toFixed(0)} ms`);
    }
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '10000,100000' },
      turns: { type: 'string', default: '9' },
      folder: { type: 'string' },
    },
  });
  await measureHolds();
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vaultdoor-bases-'));
  try {
    for (const notes of values.notes.split(',')) {
      await measure(folder, Number(notes), Number(values.turns));
    }
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
