import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { appendsInRow, type StdioWriteFigures } from './measure-stdio-writes.ts';
import type { WriteFigures } from './measure-writes.ts';
import { fewReferrers, hubFolder, referrers, writers } from './measure-writes.ts';
import { printTable } from './print-table.ts';
import { runMeasurement } from './run-measurement.ts';

// `npm run bench:write` measures writes on vaults of different sizes, next to the least that a safe
// write must do: single writes in this process and over stdio, a long row of appends, ten writers at
// once, and renames with 100 and 1,000 linking notes. The cost should depend on the files that are
// touched, not on the size of the vault.

function benchSize(notes: number): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-'));
  const cache = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-cache-'));
  try {
    generateVault(folder, { notes });
    addHub(folder);
    const figures = runMeasurement<WriteFigures>('measure-writes.ts', [folder, cache]);
    const stdio = runMeasurement<StdioWriteFigures>('measure-stdio-writes.ts', [folder, cache]);
    const shared = runMeasurement<{ perSecond: number }>('measure-connections.ts', [folder, cache]);
    const ms = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
    const times = (value: number, limit: number): string => `${(value / limit).toFixed(1)}x`;
    return {
      'plain safe write ms': ms(figures.plainMs),
      'append ms': ms(figures.appendMs),
      'append / plain': times(figures.appendMs, figures.plainMs),
      'set property ms': ms(figures.propertyMs),
      'property / plain': times(figures.propertyMs, figures.plainMs),
      'over stdio: plain safe write ms': ms(stdio.plainMs),
      ...overStdio('append', stdio.appendMs, stdio),
      ...overStdio('set property', stdio.propertyMs, stdio),
      ...overStdio('update', stdio.updateMs, stdio),
      ...overStdio('create', stdio.createMs, stdio),
      [`over stdio: ${appendsInRow} appends in a row, each / plain`]: times(
        stdio.rowMs / appendsInRow,
        stdio.plainMs,
      ),
      [`${writers} writers at once: appends per second`]: figures.appendsPerSecond.toFixed(0),
      'grouped safe writes per second': figures.groupedPerSecond.toFixed(0),
      'appends / grouped': times(figures.appendsPerSecond, figures.groupedPerSecond),
      [`${writers} connections at once: appends per second`]: shared.perSecond.toFixed(0),
      'connections: appends / grouped': times(shared.perSecond, figures.groupedPerSecond),
      [`${fewReferrers} plain safe writes ms`]: ms(figures.plainFewMs),
      [`rename, ${fewReferrers} referrers ms`]: ms(figures.renameFewMs),
      [`rename, ${fewReferrers} referrers / plain`]: times(figures.renameFewMs, figures.plainFewMs),
      [`${referrers} plain safe writes ms`]: ms(figures.plainManyMs),
      [`rename, ${referrers} referrers ms`]: ms(figures.renameMs),
      'rename / plain': times(figures.renameMs, figures.plainManyMs),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(cache, { recursive: true, force: true });
  }
}

function overStdio(
  what: string,
  value: number,
  { plainMs }: StdioWriteFigures,
): Record<string, string> {
  return {
    [`over stdio: ${what} ms`]: value.toFixed(1),
    [`over stdio: ${what} / plain`]: `${(value / plainMs).toFixed(1)}x`,
  };
}

/** Adds two notes: `referrers` notes link to one, and the first `fewReferrers` to the other too. */
function addHub(folder: string): void {
  mkdirSync(join(folder, hubFolder));
  writeFileSync(join(folder, hubFolder, 'Hub.md'), '# Hub\n');
  writeFileSync(join(folder, hubFolder, 'Small hub.md'), '# Small hub\n');
  const text = 'Some text about [[Hub]] and what belongs to it.\n'.repeat(40);
  for (let n = 0; n < referrers; n++) {
    const small = n < fewReferrers ? 'See [[Small hub]].\n\n' : '';
    writeFileSync(join(folder, hubFolder, `note ${n}.md`), `# Note ${n}\n\n${small}${text}`);
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
