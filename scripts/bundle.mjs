import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const pathOf = (file) => fileURLToPath(new URL(file, root));

/** The version of the program. */
export const { version } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));

const nativeSqlite = '@photostructure/sqlite';
const ripgrep = '@vscode/ripgrep';

/**
 * Bundles the program into one file. Native SQLite and ripgrep stay outside and are found beside the
 * bundle; with `sqlite: 'builtin'` the former is left out, and Node must have its own. Without the
 * latter, `rg` on PATH takes its place.
 */
export async function bundle({ outfile, sqlite = 'beside' }) {
  await build({
    entryPoints: [pathOf('src/cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifySyntax: true,
    legalComments: 'none',
    alias: {
      // The package's build for Node is CommonJS that requires built-ins; this one is plain modules.
      yaml: pathOf('node_modules/yaml/browser/index.js'),
      ...(sqlite === 'builtin' ? { [nativeSqlite]: pathOf('scripts/mcpb/no-sqlite.mjs') } : {}),
    },
    external: ['node:sqlite', ripgrep, ...(sqlite === 'builtin' ? [] : [nativeSqlite])],
    define: { VAULTDOOR_VERSION: JSON.stringify(version) },
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
}
