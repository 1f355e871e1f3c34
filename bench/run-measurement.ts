import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a measurement in its own process, and returns the figures in the last line that it prints.
 */
export function runMeasurement<T>(script: string, args: readonly string[]): T {
  const output = execFileSync(
    process.execPath,
    [join(root, 'scripts/run-ts.mjs'), join(root, 'bench', script), ...args],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 20 },
  );
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as T;
}
