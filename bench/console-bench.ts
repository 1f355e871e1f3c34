import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { ConsoleBrowser } from './console-browser.ts';
import { ConsoleServer, program } from './console-server.ts';
import { generateVault } from './generate-vault.ts';
import { makeChanges } from './make-changes.ts';
import { median } from './measure-program.ts';
import { printTable } from './print-table.ts';

// `npm run bench:console [-- --notes 10000 --changes 1000 --rounds 9 --consoles 10]` measures the console
// in a real Chromium, on a vault with a long history: how many bytes its first view needs, how long it
// takes until Activity can be read, beside a page that shows nothing, and how much memory the server
// uses with open consoles, beside none.

/** The aims: bytes compressed, milliseconds without and with a filled cache of the browser. */
const aims = { bytes: 60_000, coldMs: 1_000, warmMs: 300 };
const settleMs = 3_000;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '100000' },
      changes: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '9' },
      consoles: { type: 'string', default: '10' },
    },
  });
  const [notes, changes] = [Number(values.notes), Number(values.changes)];
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-console-bench-'));
  const vault = join(folder, 'vault');
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder };
  try {
    generateVault(vault, { notes });
    // The command waits until the vault is indexed.
    const search = [program, 'search', 'the', '--limit', '1', '--vault', vault];
    await promisify(execFile)(process.execPath, search, { env, maxBuffer: 1 << 26 });
    console.error(`${notes} notes are indexed.`);
    const first = await ConsoleServer.start(vault, env);
    await makeChanges(first.url, { vault, changes });
    await first.end();
    console.error(`${changes} changes are made.`);
    await measure({ vault, env, rounds: Number(values.rounds), consoles: Number(values.consoles) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly vault: string;
  readonly env: NodeJS.ProcessEnv;
  readonly rounds: number;
  readonly consoles: number;
}

async function measure({ vault, env, rounds, consoles }: Measured): Promise<void> {
  // A second process is measured, because the first still has memory from the changes.
  const server = await ConsoleServer.start(vault, env);
  const browser = await ConsoleBrowser.start();
  const nothing = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>-</title><p>-');
  });
  try {
    await new Promise<void>((resolve) => nothing.listen(0, '127.0.0.1', resolve));
    const empty = `http://127.0.0.1:${(nothing.address() as AddressInfo).port}/`;
    const activity = new URL('/c/activity', server.consoleUrl).href;
    await browser.enter(await server.link());
    await setTimeout(settleMs);

    const withNone = server.memoryMb();
    const pages = await Promise.all(
      Array.from({ length: consoles }, () => browser.openPage(activity, '.change')),
    );
    await setTimeout(settleMs);
    const withAll = server.memoryMb();
    for (const { close } of pages) await close();

    const times: Record<'emptyCold' | 'cold' | 'emptyWarm' | 'warm', number[]> = {
      emptyCold: [],
      cold: [],
      emptyWarm: [],
      warm: [],
    };
    for (let round = 0; round < rounds; round++) {
      // In turns, so that other work on the machine slows all of them alike.
      const bare = await browser.openPage(empty, 'p');
      const page = await browser.openPage(activity, '.change');
      times.emptyCold.push(bare.shownMs);
      times.cold.push(page.shownMs);
      times.emptyWarm.push(await bare.again());
      times.warm.push(await page.again());
      await bare.close();
      await page.close();
    }
    const { compressed, answers } = await browser.bytesOf(activity, '.change');
    const [emptyCold, cold] = [median(times.emptyCold), median(times.cold)];
    const [emptyWarm, warm] = [median(times.emptyWarm), median(times.warm)];
    printTable({
      console: row(kB(compressed), kB(answers), ms(cold), ms(warm), mb(withAll)),
      'a page that shows nothing, no console': row(
        '',
        '',
        ms(emptyCold),
        ms(emptyWarm),
        mb(withNone),
      ),
      'one by the other': row(
        '',
        '',
        by(cold, emptyCold),
        by(warm, emptyWarm),
        by(withAll, withNone),
      ),
      aim: row(
        met(compressed, aims.bytes, kB),
        '',
        met(cold, aims.coldMs, ms),
        met(warm, aims.warmMs, ms),
        '',
      ),
    });
  } finally {
    nothing.close();
    await browser.end();
    await server.end();
  }
}

/** One column of the table. */
function row(view: string, answers: string, cold: string, warm: string, memory: string) {
  return {
    'first view, compressed': view,
    'answers of the server for it': answers,
    'Activity readable, cold': cold,
    'Activity readable, warm': warm,
    'memory of the server, open consoles': memory,
  };
}

const by = (one: number, other: number): string => `${(one / other).toFixed(2)}x`;
const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const mb = (value: number): string => `${value.toFixed(0)} MB`;

function met(value: number, aim: number, shown: (value: number) => string): string {
  return `${value <= aim ? 'met' : 'NOT MET'}: at most ${shown(aim)}`;
}
