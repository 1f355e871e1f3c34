import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles a small program (TypeScript, whose imports are relative to `folder`) that runs in a
 * process or a worker of its own, with SQLite: the source as it is, not the last build.
 */
export function bundleProgram(folder: string, source: string): string {
  // Inside node_modules, because what is left outside the bundle is looked up from there.
  const cache = join(repository, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const built = mkdtempSync(join(cache, 'program-'));
  afterAll(() => rmSync(built, { recursive: true, force: true }));
  const outfile = join(built, 'program.mjs');
  buildSync({
    stdin: { contents: source, resolveDir: folder, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    external: ['*/pdf-library.ts'], // Otherwise its library would be loaded at the start.
    logLevel: 'error',
  });
  return outfile;
}
