import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { limits } from '../src/base/limits.ts';
import { openRipgrep } from '../src/node/ripgrep.ts';
import { generateVault } from './generate-vault.ts';
import { printTable } from './print-table.ts';

// `node scripts/run-ts.mjs bench/line-search-bench.ts [--notes 10000]`: the line search of
// `vault_search` on a generated vault, beside the bare program on all cores, whose lines come in no
// order and without a limit. Prints medians; nothing is asserted.

const rounds = 15;
const patterns = {
  'nothing found': 'no such words anywhere',
  'a heading': '^# .*e$',
  'nearly every line': 'e',
  'any case': '(?i)THE [a-z]+ing',
  hostile: '(\\w+\\s?)+#$',
};

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { notes: { type: 'string' } } });
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'vaultdoor-bench-')));
  try {
    const { notes, bytes } = generateVault(root, { notes: Number(values.notes ?? 10_000) });
    console.log(`${notes} notes, ${(bytes / 1e6).toFixed(0)} MB`);
    const rows: Record<string, Record<string, string>> = {};
    for (const [what, pattern] of Object.entries(patterns))
      rows[what] = await measure(root, pattern);
    printTable(rows);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measure(root: string, pattern: string): Promise<Record<string, string>> {
  const search = openRipgrep({ root, env: process.env, platform: process.platform });
  const request = {
    pattern,
    folders: [''] as const,
    wants: () => true,
    linesMax: limits.foundLinesMax,
    lineCharsMax: limits.foundLineCharsMax,
    signal: new AbortController().signal,
    deadlineMs: limits.lineSearchMs,
  };
  const { lines } = await search.search(request);
  // In a session of its own, as ours is: Linux shares processors out by session.
  const bare = (): Promise<unknown> =>
    once(
      spawn(rgPath, ['--no-config', '--no-ignore', '-c', '-e', pattern, './'], {
        cwd: root,
        stdio: 'ignore',
        detached: true,
      }),
      'close',
    );
  const times = await inTurns([() => search.search(request), bare]);
  const [ours = 0, rg = 0] = times;
  return {
    lines: String(lines.length),
    ours: `${ours.toFixed(0)} ms`,
    bare: `${rg.toFixed(0)} ms`,
    'times bare': (ours / rg).toFixed(2),
  };
}

/** The median of each, asked in turns: what else the machine does then meets them alike. */
async function inTurns(works: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [n, work] of works.entries()) {
      const beganMs = performance.now();
      await work();
      times[n]?.push(performance.now() - beganMs);
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0);
}
