import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
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

/** What both programs are built with. */
const common = {
  bundle: true,
  platform: 'node',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
};
// The package's build for Node is CommonJS that requires built-ins; this one is plain modules.
const yaml = pathOf('node_modules/yaml/browser/index.js');
const VAULTDOOR_VERSION = JSON.stringify(version);

/**
 * Bundles the program into one file. Native SQLite, ripgrep and the library for thumbnails stay
 * outside and are found beside the bundle; with `sqlite: 'builtin'` the first is left out, and Node
 * must have its own. Without ripgrep, `rg` on PATH takes its place.
 */
export async function bundle({ outfile, sqlite = 'beside' }) {
  await build({
    ...common,
    entryPoints: [pathOf('src/cli/main.ts')],
    outfile,
    target: 'node20',
    format: 'esm',
    alias: {
      yaml,
      ...(sqlite === 'builtin' ? { [nativeSqlite]: pathOf('scripts/mcpb/no-sqlite.mjs') } : {}),
    },
    external: ['node:sqlite', ripgrep, photon, ...(sqlite === 'builtin' ? [] : [nativeSqlite])],
    define: { VAULTDOOR_VERSION },
    banner: { js: '#!/usr/bin/env node' },
  });
  chmodSync(outfile, 0o755);
}

/**
 * Bundles the daemon into one file that needs nothing beside it, nor an extension to its name: the
 * program as text, which a beginning in older JavaScript compiles where Node is new enough.
 */
export async function bundleDaemon({ outfile }) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [pathOf('src/cli/daemon-main.ts')],
    write: false,
    target: 'node22.13',
    format: 'cjs',
    // Whoever compiles text has to say what `import()` does in it.
    supported: { 'dynamic-import': false },
    alias: { yaml, [nativeSqlite]: pathOf('scripts/daemon/builtin-sqlite.mjs') },
    external: [ripgrep],
    define: { VAULTDOOR_VERSION, VAULTDOOR_FILE: '__filename' },
    plugins: [embedWasm()],
  });
  const start = readFileSync(pathOf('scripts/daemon/start.cjs'), 'utf8');
  const program = JSON.stringify(outputFiles[0].text);
  writeFileSync(outfile, `#!/usr/bin/env node\n${start.replace('PROGRAM', () => program)}`);
  chmodSync(outfile, 0o755);
}
