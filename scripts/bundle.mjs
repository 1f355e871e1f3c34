import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { embedWasm } from './embed-wasm.mjs';

const root = new URL('../', import.meta.url);
const pathOf = (file) => fileURLToPath(new URL(file, root));

/** The version of the program. */
export const { version } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));

const nativeSqlite = '@photostructure/sqlite';
const ripgrep = '@vscode/ripgrep';
const photon = '@silvia-odwyer/photon-node';

/** An esbuild plugin that leaves out the other forty languages in which zod can refuse a value. */
const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** What both programs are built with. */
const common = {
  bundle: true,
  platform: 'node',
  minifySyntax: true,
  // What is smaller is read sooner. Names and lines stay, for those who look for a failure's place.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'warning',
};
// The package's build for Node is CommonJS that requires built-ins; this one is plain modules.
const yaml = pathOf('node_modules/yaml/browser/index.js');
const VAULTDOOR_VERSION = JSON.stringify(version);

/** What is compiled from text: it becomes a function, in which nothing of modules is left. */
const asFunction = {
  format: 'cjs',
  write: false,
  // Whoever compiles text has to say what `import()` does in it.
  supported: { 'dynamic-import': false },
};

/**
 * Bundles the program into one file. Native SQLite, ripgrep and the library for thumbnails stay
 * outside and are found beside the bundle; with `sqlite: 'builtin'` the first is left out, and Node
 * must have its own. Without ripgrep, `rg` on PATH takes its place. The file is CommonJS. Answers what
 * the names of what V8 keeps of it begin with.
 */
export async function bundle({ outfile, sqlite = 'beside' }) {
  const { outputFiles } = await build({
    ...common,
    ...asFunction,
    entryPoints: [pathOf('src/cli/main.ts')],
    target: 'node20',
    alias: {
      yaml,
      ...(sqlite === 'builtin' ? { [nativeSqlite]: pathOf('scripts/mcpb/no-sqlite.mjs') } : {}),
    },
    external: ['node:sqlite', ripgrep, photon, ...(sqlite === 'builtin' ? [] : [nativeSqlite])],
    plugins: [onlyEnglish],
    define: { VAULTDOOR_VERSION, VAULTDOOR_FILE: '__filename' },
  });
  const { id, text } = launched(outputFiles[0].text, { what: 'program', oldest: [20, 0] });
  writeFileSync(outfile, text);
  chmodSync(outfile, 0o755);
  return id;
}

/** A program behind what launches it, in a comment: V8 does not compile what it may have kept. */
function launched(program, { what, oldest }) {
  // Only comments have more than ASCII, and a text of nothing else is half as large in memory.
  const ascii = program.replace(/[\u0080-\uffff]/g, '?');
  const id = createHash('sha256').update(ascii).digest('hex').slice(0, 16);
  const launch = `#!/usr/bin/env node\n${readFileSync(pathOf('scripts/launch/launch.cjs'), 'utf8')}`;
  const line = launch.split('\n').length - 1;
  const head = launch.replace('PROGRAM', JSON.stringify({ id, line, what, oldest }));
  return { id, text: `${head}/*program${ascii.replaceAll('*/', '*\x01/')}*/\n` };
}

/**
 * Bundles the daemon into one file that needs nothing beside it, nor an extension to its name.
 */
export async function bundleDaemon({ outfile }) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [pathOf('src/cli/daemon-main.ts')],
    ...asFunction,
    target: 'node22.13',
    alias: { yaml, [nativeSqlite]: pathOf('scripts/daemon/builtin-sqlite.mjs') },
    external: [ripgrep],
    define: { VAULTDOOR_VERSION, VAULTDOOR_FILE: '__filename' },
    plugins: [onlyEnglish, embedWasm()],
  });
  const { text } = launched(outputFiles[0].text, { what: 'daemon', oldest: [22, 13] });
  writeFileSync(outfile, text);
  chmodSync(outfile, 0o755);
}
