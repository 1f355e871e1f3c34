// Bundles the program into one file. Native SQLite stays outside: it is found beside the bundle.
import { chmodSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const outfile = fileURLToPath(new URL('dist/vaultdoor.js', root));

await build({
  entryPoints: [fileURLToPath(new URL('src/cli/main.ts', root))],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  legalComments: 'none',
  // The package's build for Node is CommonJS that requires built-ins; this one is plain modules.
  alias: { yaml: fileURLToPath(new URL('node_modules/yaml/browser/index.js', root)) },
  external: ['@photostructure/sqlite', 'node:sqlite'],
  define: { VAULTDOOR_VERSION: JSON.stringify(version) },
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning',
});
chmodSync(outfile, 0o755);
