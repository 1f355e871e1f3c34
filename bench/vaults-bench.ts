import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { limits } from '../src/base/limits.ts';
import { generateVault } from './generate-vault.ts';
import { ServerClient } from './server-client.ts';
import { bareNodeCommand } from './stdio-client.ts';

// `npm run bench:vaults [-- --vaults 1,2,10,100 --notes 1000]` measures the memory of one server with
// several vaults: while all are asked, while all sleep, and while five of them are asked. Each number
// of vaults has a process of its own; the vaults are indexed before.

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));

/** In the bench, a vault sleeps and an idle thread ends after this time instead of its limit. */
const shortMs = 4_000;
const settleMs = 3 * shortMs;

/** The resident memory of one server with some vaults, in megabytes. */
interface VaultsMemory {
  readonly vaults: number;
  /** Right after the start, when all are indexed. */
  readonly readyMb: number;
  /** All vaults are asked in turns, and none sleeps. */
  readonly askedMb: number;
  readonly asleepMb: number;
  /** Five are asked, the others sleep. */
  readonly fiveMb: number;
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      vaults: { type: 'string', default: '1,2,10,100' },
      notes: { type: 'string', default: '1000' },
    },
  });
  const counts = values.vaults.split(',').map(Number);
  const home = mkdtempSync(join(realpathSync.native(tmpdir()), 'vaultdoor-vaults-'));
  try {
    const folders = Array.from({ length: Math.max(...counts) }, (_, at) => {
      const folder = join(home, `vault${at}`);
      mkdirSync(folder);
      generateVault(folder, { notes: Number(values.notes), seed: at + 1 });
      return folder;
    });
    const hurry = join(home, 'hurry.cjs');
    writeFileSync(hurry, hurryScript());
    // Builds the indexes, so that no figure has the memory of a first build.
    await measure(home, folders);
    const figures: VaultsMemory[] = [];
    for (const count of counts) figures.push(await measure(home, folders.slice(0, count)));
    print(figures, { bareMb: await bareNodeMb(), notes: values.notes });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Makes vaults sleep after seconds in place of ten minutes. */
function hurryScript(): string {
  return `const wait = globalThis.setTimeout;
    const long = [${limits.vaultSleepMs}, ${limits.scanIdleMs}];
    globalThis.setTimeout = (call, ms, ...args) =>
      wait(call, long.includes(ms) ? ${shortMs} : ms, ...args);`;
}

async function measure(home: string, folders: readonly string[]): Promise<VaultsMemory> {
  const vaults = folders.flatMap((path, at) => ['--vault', `v${at}=${path}`]);
  const client = new ServerClient({
    file: process.execPath,
    args: ['--require', join(home, 'hurry.cjs'), program, 'stdio', ...vaults],
    env: {
      ...process.env,
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_STATE_HOME: join(home, 'state'),
    },
  });
  const memory = (): number => client.memoryMb() ?? Number.NaN;
  const ask = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      const vault = count > 1 || folders.length > 1 ? { vault: `v${at}` } : {};
      for (const [tool, asked] of [
        ['search_notes', { query: 'note' }],
        ['list_tasks', {}],
      ] as const) {
        const { failure } = await client.call(tool, { ...asked, ...vault });
        if (failure !== undefined) throw new Error(failure);
      }
    }
  };
  const whileAsked = async (count: number): Promise<number> => {
    const endMs = performance.now() + settleMs;
    while (performance.now() < endMs) {
      await ask(count);
      await setTimeout(shortMs / 4);
    }
    return memory();
  };
  try {
    await client.greet();
    await ask(folders.length);
    const readyMb = memory();
    const askedMb = await whileAsked(folders.length);
    await setTimeout(settleMs);
    const asleepMb = memory();
    const fiveMb = await whileAsked(Math.min(5, folders.length));
    return { vaults: folders.length, readyMb, askedMb, asleepMb, fiveMb };
  } finally {
    await client.end();
  }
}

async function bareNodeMb(): Promise<number> {
  const client = new ServerClient(bareNodeCommand);
  await client.greet();
  const bareMb = client.memoryMb() ?? Number.NaN;
  await client.end();
  return bareMb;
}

function print(
  figures: readonly VaultsMemory[],
  { bareMb, notes }: { readonly bareMb: number; readonly notes: string },
): void {
  const [one] = figures;
  if (one === undefined) return;
  const besideBare = (mb: number): string => `${mb.toFixed(0)} (${(mb / bareMb).toFixed(1)})`;
  const perVault = (mb: number, oneMb: number, vaults: number): string =>
    vaults === one.vaults ? '' : ((mb - oneMb) / (vaults - one.vaults)).toFixed(1);
  console.log(
    `One server, vaults of ${notes} notes. Resident memory in MB, and how often that of bare Node (${bareMb.toFixed(0)} MB):`,
  );
  console.table(
    figures.map(({ vaults, readyMb, askedMb, asleepMb, fiveMb }) => ({
      vaults,
      'all indexed': besideBare(readyMb),
      'all asked': besideBare(askedMb),
      'each further vault': perVault(askedMb, one.askedMb, vaults),
      'all asleep': besideBare(asleepMb),
      'each further vault asleep': perVault(asleepMb, one.asleepMb, vaults),
      'five asked, others asleep': besideBare(fiveMb),
    })),
  );
}
