import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { limits } from '../src/base/limits.ts';
import { openRipgrep } from '../src/node/ripgrep.ts';
import { generateVault } from './generate-vault.ts';
import { printTable } from './print-table.ts';

// `node scripts/run-ts.mjs bench/line-search-bench.ts [--notes 10000]`: the line search of
// `vault_search` on a generated vault, beside the bare program on all cores, whose lines come in no
// order and without a limit. Prints medians; nothing is asserted.

const rounds = 7;
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
  const ours = await median(() => search.search(request));
  const bare = await median(() =>
    promisify(execFile)(rgPath, ['--no-config', '--no-ignore', '-c', '-e', pattern, './'], {
      cwd: root,
    }).catch(() => undefined),
  );
  return {
    lines: String(lines.length),
    ours: `${ours.toFixed(0)} ms`,
    bare: `${bare.toFixed(0)} ms`,
  };
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}
