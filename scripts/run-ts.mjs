// Runs one TypeScript file: `node scripts/run-ts.mjs bench/generate-vault.ts --notes 1000`. Node 20
// cannot run TypeScript, so esbuild bundles the file first. If the file exports `main`, it is
// called with the arguments. So the same file can be run as a program here, and imported by a test.
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

// The bundle is written inside node_modules, so that Node finds the packages outside the bundle.
const cache = join(repository, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'run-ts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// Without these handlers, a signal would end the process without the 'exit' event.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => process.exit(code));
}

/** Keeps `import.meta.url` of every source file as it was, although they are all in one bundle. */
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

await build({
  entryPoints: { entry: resolve(entry) },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // What is imported only when it is needed, such as the PDF library, is not loaded before.
  splitting: true,
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
const program = await import(pathToFileURL(join(folder, 'entry.mjs')).href);
await program.main?.(args);
