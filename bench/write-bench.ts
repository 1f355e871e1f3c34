import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import type { WriteFigures } from './measure-writes.ts';
import { hubFolder, referrers } from './measure-writes.ts';
import { printTable } from './print-table.ts';
import { runMeasurement } from './run-measurement.ts';

// `npm run bench:write` measures an append, a change of a property and a rename with 1,000 linking
// notes, on vaults of different sizes, next to the least that a safe write must do. The cost should
// depend on the files that are touched, not on the size of the vault.

function benchSize(notes: number): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-'));
  const cache = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-cache-'));
  try {
    generateVault(folder, { notes });
    addHub(folder);
    const figures = runMeasurement<WriteFigures>('measure-writes.ts', [folder, cache]);
    const ms = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
    const times = (value: number, limit: number): string => `${(value / limit).toFixed(1)}x`;
    return {
      'plain safe write ms': ms(figures.plainMs),
      'append ms': ms(figures.appendMs),
      'append / plain': times(figures.appendMs, figures.plainMs),
      'set property ms': ms(figures.propertyMs),
      'property / plain': times(figures.propertyMs, figures.plainMs),
      [`${referrers} plain safe writes ms`]: ms(figures.plainManyMs),
      [`rename, ${referrers} referrers ms`]: ms(figures.renameMs),
      'rename / plain': times(figures.renameMs, figures.plainManyMs),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(cache, { recursive: true, force: true });
  }
}

/** Adds a note, and `referrers` notes that link to it. */
function addHub(folder: string): void {
  mkdirSync(join(folder, hubFolder));
  writeFileSync(join(folder, hubFolder, 'Hub.md'), '# Hub\n');
  const text = 'Some text about [[Hub]] and what belongs to it.\n'.repeat(40);
  for (let n = 0; n < referrers; n++) {
    writeFileSync(join(folder, hubFolder, `note ${n}.md`), `# Note ${n}\n\n${text}`);
  }
}

export function main(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { notes: { type: 'string', default: '1000,10000,100000' } },
  });
  const sizes = values.notes.split(',').map(Number);
  printTable(Object.fromEntries(sizes.map((notes) => [`${notes} notes`, benchSize(notes)])));
}
