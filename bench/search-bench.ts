import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { printTable } from './print-table.ts';
import { seededRandom } from './random.ts';
import { ScaleClient } from './scale-client.ts';

// `npm run bench:search [-- --notes 100000 --queries 50]` measures searches over stdio in a
// generated vault, for words of every frequency, including words that nearly every note has. The
// words are drawn evenly by the logarithm of their rank. "the first of a process" is asked of a
// process that was just started on the finished index. `--folder` keeps the vault and its index there
// for the next run.

const sampled = 3_000;

interface Words {
  /** The words, beginning with those that most notes have. */
  readonly ranked: readonly string[];
  /** Pairs of words that stand next to each other in a note. */
  readonly pairs: readonly string[];
}

export function readWords(vault: string, random: () => number): Words {
  const files = readdirSync(vault, { recursive: true, encoding: 'utf8' });
  const notes = files.filter((file) => file.endsWith('.md'));
  const counts = new Map<string, number>();
  const pairs: string[] = [];
  for (let i = 0; i < sampled; i++) {
    const file = notes[Math.floor(random() * notes.length)] ?? '';
    const body = readFileSync(join(vault, file), 'utf8').replace(/^---[\s\S]*?---/, '');
    for (const word of new Set(body.toLowerCase().match(/[a-z]{4,}/g))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const found = body.match(/\b[a-z]{4,} [a-z]{4,}\b/g) ?? [];
    pairs.push(found[Math.floor(random() * found.length)] ?? '');
  }
  const ranked = Array.from(counts).sort(([, a], [, b]) => b - a);
  return { ranked: ranked.map(([word]) => word), pairs: pairs.filter((pair) => pair !== '') };
}

/** For each kind of query, a function that makes one. */
export function kindsOf(
  { ranked, pairs }: Words,
  random: () => number,
): Record<string, () => string> {
  const word = (): string => ranked[Math.floor(ranked.length ** random())] ?? ranked[0] ?? '';
  const long = ranked.filter(({ length }) => length >= 6);
  const misspelled = (): string => {
    const right = long[Math.floor(long.length ** random())] ?? long[0] ?? '';
    return `${right.slice(0, 2)}${right.charAt(3)}${right.charAt(2)}${right.slice(4)}`;
  };
  return {
    'one word': word,
    'two words': () => `${word()} ${word()}`,
    'three words': () => `${word()} ${word()} ${word()}`,
    'eight words': () => Array.from({ length: 8 }, word).join(' '),
    phrase: () => `"${pairs[Math.floor(random() * pairs.length)]}"`,
    'beginning of four letters': () => word().slice(0, 4),
    typo: misspelled,
  };
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '100000' },
      queries: { type: 'string', default: '50' },
      folder: { type: 'string' },
    },
  });
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vaultdoor-search-'));
  try {
    const vault = join(folder, 'vault');
    const cache = join(folder, 'cache');
    if (!existsSync(vault)) generateVault(vault, { notes: Number(values.notes) });
    const client = new ScaleClient(vault, cache);
    await client.untilIndexed();
    await client.untilQuiet();
    const { next: random } = seededRandom(7);
    const rows: Record<string, Record<string, string>> = {};
    for (const [kind, query] of Object.entries(kindsOf(readWords(vault, random), random))) {
      const first = await firstOfProcess(vault, cache, query());
      // The first query of a kind is not counted.
      await client.call('search_notes', { query: query() });
      const times: number[] = [];
      for (let i = 0; i < Number(values.queries); i++) {
        times.push((await client.call('search_notes', { query: query() })).ms);
      }
      times.sort((a, b) => a - b);
      const at = (share: number): string =>
        (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
      rows[kind] = {
        'median ms': at(0.5),
        '90th percentile ms': at(0.9),
        'longest ms': at(0.999),
        'the first of a process ms': first.toFixed(0),
      };
    }
    printTable(rows);
    console.log(`Memory after all this: ${client.memoryMb()?.toFixed(0)} MB`);
    await client.end();
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** How long a process that has just read its index takes for its first search. */
async function firstOfProcess(vault: string, cache: string, query: string): Promise<number> {
  const client = new ScaleClient(vault, cache);
  await client.greet();
  await client.call('read_note', { name: 'no note has this name' }); // Answered once the index is read.
  const { ms } = await client.call('search_notes', { query });
  await client.end();
  return ms;
}
