import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { measureLines } from './measure-lines.ts';
import { printTable } from './print-table.ts';

// `npm run bench:lines [-- --notes 10000]` compares the line search of the tool `vault_search` with
// plain ripgrep, on a generated vault. Plain ripgrep uses all cores, and returns its lines in no
// particular order and without a limit. Prints medians, and never fails because of a figure.

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
    for (const [what, pattern] of Object.entries(patterns)) {
      const { lines, oursMs, bareMs } = await measureLines(root, pattern);
      rows[what] = {
        lines: String(lines),
        ours: `${oursMs.toFixed(0)} ms`,
        bare: `${bareMs.toFixed(0)} ms`,
        'times bare': (oursMs / bareMs).toFixed(2),
      };
    }
    printTable(rows);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
