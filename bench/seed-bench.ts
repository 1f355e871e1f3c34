import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { printTable } from './print-table.ts';
import { measureBareNode, StdioClient, type TimedAnswer } from './stdio-client.ts';

// `npm run bench:seed` measures the time limits that the specification of the obsidian toolset
// (seed 000) sets, on a generated vault. It measures from request to answer in a process that has
// started: once with the index of an earlier start, and once while the index is being built. Prints
// the figures next to the limits, and never fails because of a figure.

/** How often the start of a process is measured. */
const starts = 10;

/** The time limits of the specification, in milliseconds. */
const limits = { initialize: 100, list: 200, file: 3_000, search: 5_000 } as const;

/** A call that is measured, each time with another note. */
interface Question {
  readonly what: string;
  readonly limitMs: number;
  readonly ask: (client: StdioClient, note: Note) => Promise<TimedAnswer>;
}

interface Note {
  readonly path: string;
  /** A word of the note's text. */
  readonly word: string;
}

const file = (
  what: string,
  tool: string,
  args: (note: Note) => Readonly<Record<string, unknown>>,
): Question => ({
  what,
  limitMs: limits.file,
  ask: (client, note) => client.call(`obsidian_${tool}`, args(note)),
});

const search = (what: string, args: object): Question => ({
  what,
  limitMs: limits.search,
  ask: (client, { word }) => client.call('obsidian_search', { query: word, ...args }),
});

const questions: readonly Question[] = [
  { what: 'tools/list', limitMs: limits.list, ask: (client) => client.request('tools/list') },
  file('create', 'create_note', ({ path }) => ({
    name: `New/${nameOf(path)} again`,
    content: '# New\n',
  })),
  // This must wait until all links are known, so that links to the other note do not break.
  file('create, name of another', 'create_note', ({ path }) => ({
    name: `New/${nameOf(path)}`,
    content: '# New\n',
  })),
  file('read, by path', 'read_note', ({ path }) => ({ name: path })),
  file('read, by name', 'read_note', ({ path }) => ({ name: nameOf(path) })),
  file('append', 'append_note', ({ path }) => ({ name: path, content: 'A line.' })),
  file('prepend', 'prepend_note', ({ path }) => ({ name: path, content: 'A line.' })),
  file('file info', 'file_info', ({ path }) => ({ name: path })),
  file('move', 'move_note', ({ path }) => ({ name: path, to: `Moved/${nameOf(path)}` })),
  file('rename', 'rename_note', ({ path }) => ({
    name: path,
    new_name: `${nameOf(path)} renamed`,
  })),
  file('delete', 'delete_note', ({ path }) => ({ name: path })),
  search('search', {}),
  search('search with lines', { context: true }),
];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
const foldedName = (path: string): string => nameOf(path).normalize('NFC').toLowerCase();

interface Figures {
  readonly middleMs: number;
  readonly longestMs: number;
  /** How many answers were incomplete, and how many calls failed. */
  readonly partial: number;
  readonly failed: number;
}

function figuresOf(answers: readonly TimedAnswer[]): Figures {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    middleMs: times[times.length >> 1] ?? 0,
    longestMs: times.at(-1) ?? 0,
    partial: answers.filter(({ text }) => text?.includes('"incomplete"')).length,
    failed: answers.filter(({ text }) => text === undefined).length,
  };
}

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-'));
  folders.push(folder);
  return folder;
}

/** Resolves when the index is complete. */
async function untilIndexed(client: StdioClient): Promise<void> {
  for (;;) {
    const { text } = await client.call('obsidian_search', { query: 'anything' });
    if (text !== undefined && !text.includes('"incomplete"')) return;
  }
}

/** Notes from all over the vault with unique names, each with a word of its text. */
async function notesOf(client: StdioClient, folder: string): Promise<readonly Note[]> {
  const paths: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const asked = { extension: 'md', limit: 10_000, offset };
    const { text = '' } = await client.call('obsidian_files', asked);
    const { data } = JSON.parse(text) as { data: { files: string[]; next_offset?: number } };
    paths.push(...data.files);
    offset = data.next_offset;
  }
  // Steps of a large prime number reach notes in every folder.
  const spread = new Set(paths.map((_, n) => paths[(n * 7_919) % paths.length] ?? ''));
  const names = paths.map(foldedName);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const named = [...spread].filter((path) => !repeated.has(foldedName(path)));
  return named.slice(0, 1_000).map((path) => {
    const text = readFileSync(join(folder, path), 'utf8').replace(/^---\n.*?\n---\n/s, '');
    return { path, word: /(?<!\p{L})\p{L}{5,}/u.exec(text)?.[0] ?? 'note' };
  });
}

async function started(folder: string, cache: string): Promise<StdioClient> {
  const client = await new StdioClient(folder, cache).up();
  await client.initialize();
  return client;
}

/** The time from the start of the process to the answer to `initialize`, which is sent at once. */
async function measureSpawn(folder: string, cache: string): Promise<number> {
  const start = performance.now();
  const client = new StdioClient(folder, cache);
  await client.initialize();
  const ms = performance.now() - start;
  await client.end();
  return ms;
}

async function repeat<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let n = 0; n < times; n++) all.push(await work(n));
  return all;
}

/**
 * Runs all measurements. Each question has its own notes, so that no question moves another's
 * notes.
 */
async function benchSeed(folder: string, { warm, cold }: { warm: number; cold: number }) {
  const cache = newFolder();
  const first = await started(folder, cache);
  await untilIndexed(first);
  const notes = await notesOf(first, folder);
  await first.end();
  const noteFor = (question: Question, n: number): Note =>
    notes[questions.indexOf(question) * (warm + cold) + n] ?? { path: 'None.md', word: 'none' };

  const hello = async (state: string): Promise<TimedAnswer> => {
    const client = await new StdioClient(folder, state).up();
    const answer = await client.initialize();
    await client.end();
    return answer;
  };
  const ready = new Map([['initialize', figuresOf(await repeat(starts, () => hello(cache)))]]);
  const building = new Map([
    ['initialize', figuresOf(await repeat(starts, () => hello(newFolder())))],
  ]);

  const client = await started(folder, cache);
  await untilIndexed(client);
  for (const question of questions) {
    const ask = (n: number): Promise<TimedAnswer> => question.ask(client, noteFor(question, n));
    ready.set(question.what, figuresOf(await repeat(warm, ask)));
  }
  await client.end();

  for (const question of questions) {
    const answers = await repeat(cold, async (n) => {
      const fresh = await started(folder, newFolder());
      const answer = await question.ask(fresh, noteFor(question, warm + n));
      await fresh.end();
      return answer;
    });
    building.set(question.what, figuresOf(answers));
  }
  const spawn = {
    bare: figuresOf((await repeat(starts, measureBareNode)).map((ms) => ({ ms, text: '' }))),
    ready: await spawns(folder, () => cache),
    building: await spawns(folder, newFolder),
  };
  return { ready, building, spawn };
}

async function spawns(folder: string, cache: () => string): Promise<Figures> {
  const times = await repeat(starts, () => measureSpawn(folder, cache()));
  return figuresOf(times.map((ms) => ({ ms, text: '' })));
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const share = (value: number, limit: number): string => `${((100 * value) / limit).toFixed(1)} %`;

function column(
  figures: ReadonlyMap<string, Figures>,
  show: (figures: Figures, limitMs: number) => string,
): Record<string, string> {
  const limitOf = (what: string): number =>
    questions.find((question) => question.what === what)?.limitMs ?? limits.initialize;
  return Object.fromEntries(
    Array.from(figures, ([what, each]) => [what, show(each, limitOf(what))]),
  );
}

/** Whether the calls were done, done in part, or not done. */
function outcome({ partial, failed }: Figures): string {
  if (failed > 0) return `${failed} not done`;
  return partial > 0 ? `${partial} in part` : 'done';
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '10000' },
      warm: { type: 'string', default: '20' },
      cold: { type: 'string', default: '3' },
    },
  });
  try {
    const folder = newFolder();
    generateVault(folder, { notes: Number(values.notes) });
    const counts = { warm: Number(values.warm), cold: Number(values.cold) };
    const { ready, building, spawn } = await benchSeed(folder, counts);
    console.log(`${values.notes} notes; time from request to answer in a started process, in ms:`);
    printTable({
      limit: column(ready, (_, limit) => String(limit)),
      'indexed: middle': column(ready, ({ middleMs }) => ms(middleMs)),
      longest: column(ready, ({ longestMs }) => ms(longestMs)),
      'of limit': column(ready, ({ longestMs }, limit) => share(longestMs, limit)),
      was: column(ready, outcome),
      'while indexing: longest': column(building, ({ longestMs }) => ms(longestMs)),
      'of the limit': column(building, ({ longestMs }, limit) => share(longestMs, limit)),
      'was it': column(building, outcome),
    });
    console.log('Time from the start of the process to the answer of initialize, in ms:');
    printTable({
      'a bare Node program': { middle: ms(spawn.bare.middleMs), 'times bare': '1.0x' },
      'indexed before': spawnColumn(spawn.ready, spawn.bare),
      'nothing indexed': spawnColumn(spawn.building, spawn.bare),
    });
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function spawnColumn({ middleMs }: Figures, bare: Figures): Record<string, string> {
  return { middle: ms(middleMs), 'times bare': `${(middleMs / bare.middleMs).toFixed(1)}x` };
}
