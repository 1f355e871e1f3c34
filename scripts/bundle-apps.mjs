import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { version } from './bundle.mjs';
import { packagesIn } from './release/packages-in.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** How many bytes a view may have, compressed. */
const viewBytesMax = 60_000;

/** The views, and the titles of their pages. */
const views = { changes: 'Changes', find: 'Found notes' };

/**
 * Bundles the views that MCP clients show (MCP Apps) into a folder: each is one HTML file with its
 * script and style sheet inside. Fails when one is larger than `viewBytesMax`. The policy in the file
 * lets nothing run or load but these two, whatever the client allows. Returns the folders of the
 * packages that are in them.
 */
export async function bundleApps({ folder }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      ...Object.fromEntries(
        Object.keys(views).map((name) => [name, `src/console/apps/${name}-view.tsx`]),
      ),
      apps: 'src/console/apps/apps.css',
    },
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: ['es2023', 'chrome117', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { VAULTDOOR_VERSION: JSON.stringify(version) },
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const textOf = (name) => outputFiles.find(({ path }) => path === join(folder, name)).text.trim();
  const style = textOf('apps.css');
  mkdirSync(folder, { recursive: true });
  for (const [name, title] of Object.entries(views)) {
    const html = page({ title, style, script: textOf(`${name}.js`) });
    const { length } = gzipSync(html, { level: 9 });
    if (length > viewBytesMax) {
      throw new Error(`The view "${name}" has ${length} bytes compressed, over ${viewBytesMax}.`);
    }
    writeFileSync(join(folder, `${name}.html`), html);
  }
  return packagesIn(metafile);
}

function page({ title, style, script }) {
  if (/<\/(style|script)|<!--/i.test(style + script)) {
    throw new Error('The text of a view would end its own element.');
  }
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
