import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import type { VaultsMemory } from './measure-vaults.ts';
import { runMeasurement } from './run-measurement.ts';

// `npm run bench:vaults [-- --vaults 1,2,10,100 --notes 1000]` measures the memory of one process that
// has several vaults open: while all are asked, while all sleep, and while five of them are asked. Each
// number of vaults has a process of its own; the vaults are indexed before.

export function main(args: readonly string[]): void {
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
    // Builds the indexes, so that no figure has the memory of a first build.
    runMeasurement<VaultsMemory>('measure-vaults.ts', [home, ...folders]);
    const figures = counts.map((count) => ({
      count,
      ...runMeasurement<VaultsMemory>('measure-vaults.ts', [home, ...folders.slice(0, count)]),
    }));
    const [one = { count: 1, awakeMb: 0, asleepMb: 0, fiveInUseMb: 0 }] = figures;
    const perVault = (mb: number, oneMb: number, count: number): string =>
      count === one.count ? '' : ((mb - oneMb) / (count - one.count)).toFixed(1);
    console.log(`One process, vaults of ${values.notes} notes; resident memory in MB:`);
    console.table(
      figures.map(({ count, awakeMb, asleepMb, fiveInUseMb }) => ({
        vaults: count,
        'all asked': awakeMb.toFixed(0),
        'for each further vault': perVault(awakeMb, one.awakeMb, count),
        'all asleep': asleepMb.toFixed(0),
        'for each further vault asleep': perVault(asleepMb, one.asleepMb, count),
        'five asked, the others asleep': fiveInUseMb.toFixed(0),
      })),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
