import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';

/**
 * Bundles a small program (TypeScript, whose imports are relative to `folder`) as a worker's
 * entry file, so that tests run the workers of the source as it is, not of the last build.
 */
export function bundleWorker(folder: string, source: string): string {
  const built = mkdtempSync(join(tmpdir(), 'vaultdoor-bundle-'));
  afterAll(() => rmSync(built, { recursive: true, force: true }));
  const outfile = join(built, 'worker.mjs');
  buildSync({
    stdin: { contents: source, resolveDir: folder, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // What is bundled from CommonJS asks for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    external: ['*/pdf-library.ts'], // Large, and no worker of these tests reads a PDF.
    logLevel: 'error',
  });
  return outfile;
}

/** The program's own workers, with a store that a test supplies in `openStore`. */
export function bundleRunWorker(openStore = "() => { throw new Error('no store'); }"): string {
  return bundleWorker(
    import.meta.dirname,
    `
    import { workerData } from 'node:worker_threads';
    import { runWorker } from '../../src/node/workers/run-worker.ts';
    runWorker(workerData, { openStore: ${openStore} });
  `,
  );
}
