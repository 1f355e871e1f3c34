import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { printTable } from './print-table.ts';
import { ScaleClient } from './scale-client.ts';

// `npm run bench:burst [-- --notes 10000 --files 5000]` changes many notes of a vault at once, while one
// and then two processes serve it. A client asks them in turns without a pause, until a search finds
// every change: the table has that time, the longest time that a call took, and the CPU time of each
// process, which shows whether the second one did the work again.

class BurstClient extends ScaleClient {
  cpuSeconds(): number {
    const args = ['-o', 'cputimes=', '-p', String(this.child.pid)];
    return Number(execFileSync('ps', args, { encoding: 'utf8' }));
  }
}

async function measureBurst(
  vault: string,
  cache: string,
  { servers, files }: { readonly servers: number; readonly files: number },
): Promise<Record<string, string>> {
  const clients = Array.from({ length: servers }, () => new BurstClient(vault, cache));
  for (const client of clients) await client.untilIndexed();
  for (const client of clients) await client.untilQuiet();
  const notes = readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .slice(0, files);
  const word = `zqburst${servers}`;
  const before = clients.map((client) => client.cpuSeconds());
  for (const note of notes) appendFileSync(join(vault, note), `\n${word}\n`);
  const start = performance.now();
  let longest = 0;
  for (let turn = 0; ; turn++) {
    const client = clients[turn % servers] as BurstClient;
    const name = notes[(turn * 37) % notes.length];
    const search = await client.call('search_notes', { query: word, limit: 1 });
    const links = await client.call('obsidian_links', { name });
    const read = await client.call('read_note', { name });
    longest = Math.max(longest, search.ms, links.ms, read.ms);
    if (Number(/"total":\s*(\d+)/.exec(search.text)?.[1] ?? 0) >= notes.length) break;
    if (performance.now() - start > 120_000) throw new Error('The changes are not found.');
  }
  const seconds = (performance.now() - start) / 1_000;
  const cpu = clients.map((client, at) => client.cpuSeconds() - (before[at] ?? 0));
  for (const client of clients) await client.end();
  return {
    'all found, s': seconds.toFixed(1),
    'longest call, ms': longest.toFixed(0),
    'CPU of each, s': cpu.join(' and '),
  };
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '10000' },
      files: { type: 'string', default: '5000' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-burst-'));
  try {
    const vault = join(folder, 'vault');
    generateVault(vault, { notes: Number(values.notes) });
    const rows: Record<string, Record<string, string>> = {};
    for (const servers of [1, 2]) {
      const files = Number(values.files);
      const row = await measureBurst(vault, join(folder, 'cache'), { servers, files });
      rows[servers === 1 ? 'one process' : 'two processes'] = row;
    }
    printTable(rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
