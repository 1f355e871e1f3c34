import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import type { StartFigures } from './measure-index.ts';
import type { Limits } from './measure-limits.ts';
import { printTable } from './print-table.ts';
import { runMeasurement } from './run-measurement.ts';

// `npm run bench:index` measures the first start (without an index) and the second start on
// generated vaults, as ratios to what no program can beat. Each measurement runs in its own
// process.

function benchSize(notes: number): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-'));
  const cache = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-cache-'));
  try {
    generateVault(folder, { notes });
    const limits = runMeasurement<Limits>('measure-limits.ts', [folder]);
    const cold = runMeasurement<StartFigures>('measure-index.ts', [folder, cache]);
    const second = runMeasurement<StartFigures>('measure-index.ts', [folder, cache]);
    const ms = (value: number): string => value.toFixed(0);
    const times = (value: number, limit: number): string => `${(value / limit).toFixed(1)}x`;
    return {
      'plain read ms': ms(limits.readMs),
      'cold facts ms': ms(cold.factsMs),
      'facts / read': times(cold.factsMs, limits.readMs),
      'cold text ms': ms(cold.textMs),
      'text / read': times(cold.textMs, limits.readMs),
      'notes/s (facts)': ms(notes / (cold.factsMs / 1000)),
      'stat walk ms': ms(limits.walkMs),
      'second start ms': ms(second.factsMs),
      'second / walk': times(second.factsMs, limits.walkMs),
      'peak MB cold': ms(cold.peakMb),
      'peak MB second': ms(second.peakMb),
      'loop max ms': ms(cold.loopMaxMs),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(cache, { recursive: true, force: true });
  }
}

export function main(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { notes: { type: 'string', default: '1000,10000,100000' } },
  });
  const rows: Record<string, Record<string, string>> = {};
  for (const notes of values.notes.split(',').map(Number))
    rows[`${notes} notes`] = benchSize(notes);
  printTable(rows);
}
