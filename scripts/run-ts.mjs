// Runs one TypeScript file: `node scripts/run-ts.mjs bench/generate-vault.ts --notes 1000`.
// Node 20 cannot, so esbuild bundles the file first. An exported `main` is called with the
// arguments; that lets a file be a program here and a plain import for tests.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const repository = fileURLToPath(new URL('..', import.meta.url));
const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
  process.stderr.write('Usage: node scripts/run-ts.mjs <file.ts> [arguments]\n');
  process.exit(2);
}

// Inside node_modules, because the packages left outside the bundle are looked up from there.
const cache = join(repository, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'run-ts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// A signal would end the process without its 'exit' event.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => process.exit(code));
}

/** Lets every source file keep its own address, although all end up in one bundle elsewhere. */
const ownAddress = {
  name: 'own-address',
  setup: (bundle) =>
    bundle.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
    })),
};

const outfile = join(folder, 'entry.mjs');
await build({
  entryPoints: [resolve(entry)],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'error',
  plugins: [ownAddress],
});

process.setSourceMapsEnabled(true);
process.argv = [process.execPath, resolve(entry), ...args];
const program = await import(pathToFileURL(outfile).href);
await program.main?.(args);
