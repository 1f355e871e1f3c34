import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../..', import.meta.url));

const unpacked = new Set<string>();

process.once('exit', removeUnpacked);
// Vitest ends its workers with a signal, which skips the 'exit' event, and waits half a second at
// most. Under it the folders go when the test file that imported this module is done.
if (process.env['VITEST'] !== undefined) {
  const { afterAll } = await import('vitest');
  afterAll(removeUnpacked);
}

/** The folder of shared test data: `$VAULTDOOR_SHARED`, or `shared` beside the repository. */
export function sharedFolder(): string {
  return resolve(repository, process.env['VAULTDOOR_SHARED'] ?? '../shared');
}

/**
 * Unpacks one of the real vaults into a fresh temporary folder and returns the vault's folder,
 * which the caller may change at will. It is removed when the test file or the process ends.
 * Rejects with a sentence that says what to set when the data is not on this machine.
 */
export async function unpackVault(name: string): Promise<string> {
  const archive = join(sharedFolder(), 'vaults', `${name}.tar.gz`);
  if (!existsSync(archive)) {
    throw new Error(
      `There is no vault "${name}": ${archive} is missing. Set VAULTDOOR_SHARED to the folder that holds vaults/.`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), `vaultdoor-${name}-`));
  unpacked.add(folder);
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  return join(folder, name);
}

function removeUnpacked(): void {
  for (const folder of unpacked) rmSync(folder, { recursive: true, force: true });
  unpacked.clear();
}
