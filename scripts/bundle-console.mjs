import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { leanMarkdownIt } from './console/lean-markdown-it.mjs';
import { packagesIn } from './release/packages-in.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** How many bytes a browser may load, compressed, before the first screen is shown. */
const firstViewBytesMax = 60_000;

/** How many bytes may be loaded beyond that, compressed, by the file for which they are loaded. */
const laterBytesMax = {
  'src/console/notes/notes-screen.tsx': 20_000,
  'src/console/note/drawn-note.tsx': 30_000,
  'src/console/bases/base-part.tsx': 15_000,
  'src/console/graph/graph-screen.tsx': 45_000,
};

/**
 * Bundles the console, the owner's web page, into a folder: index.html, and beside it scripts and
 * the style sheet, whose names contain a hash of their content. Every screen is a script of its
 * own. Fails when what the first screen needs is larger than `firstViewBytesMax`, or what is loaded
 * later larger than `laterBytesMax`. Returns the folders of the packages that are in it.
 */
export async function bundleConsole({ folder }) {
  const options = {
    absWorkingDir: root,
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    target: ['es2023', 'chrome117', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [leanMarkdownIt],
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  };
  // The worker of the graph first: the page has to know its address.
  const worker = await build({
    ...options,
    entryPoints: { 'graph-worker': 'src/console/graph/graph-worker.ts' },
  });
  const [workerFile] = worker.outputFiles;
  // Likewise the style sheet of bases, which is loaded with the first of them.
  const sheet = await build({
    ...options,
    entryPoints: { bases: 'src/console/style/bases.css' },
  });
  const [sheetFile] = sheet.outputFiles;
  const page = await build({
    ...options,
    entryPoints: { main: 'src/console/start/main.tsx', console: 'src/console/style/console.css' },
    splitting: true,
    define: {
      graphWorkerAddress: JSON.stringify(`/c/${basename(workerFile.path)}`),
      baseStyleAddress: JSON.stringify(`/c/${basename(sheetFile.path)}`),
    },
  });
  const { metafile } = page;
  const outputFiles = [workerFile, sheetFile, ...page.outputFiles];
  const { main, chunks, style, activity } = firstFiles(metafile);
  const icon = readFileSync(join(root, 'src/console/icon.svg'));
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`;
  const tags = [
    `<link rel="icon" href="/c/${iconName}">`,
    `<link rel="stylesheet" href="/c/${style}">`,
    ...chunks.map((name) => `<link rel="modulepreload" href="/c/${name}">`),
    `<script type="module" src="/c/${main}"></script>`,
  ];
  const html = readFileSync(join(root, 'src/console/index.html'), 'utf8').replace(
    '<!-- files -->',
    () => tags.join('\n    '),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles)
    writeFileSync(join(folder, basename(path)), contents);
  writeFileSync(join(folder, iconName), icon);
  writeFileSync(join(folder, 'index.html'), html);
  const first = ['index.html', style, main, ...chunks, ...activity];
  for (const [what, bytesMax] of Object.entries(laterBytesMax)) {
    const names = filesOf(metafile, what).filter((name) => !first.includes(name));
    checkSize(folder, { what, names, bytesMax });
  }
  checkSize(folder, { what: 'The first view', names: first, bytesMax: firstViewBytesMax });
  return [worker, page].flatMap((made) => packagesIn(made.metafile));
}

/**
 * The names of the files that the page loads: its script with what that imports, the style sheet, and
 * what Activity, which is shown first, needs beside them.
 */
function firstFiles(metafile) {
  const [main, ...chunks] = filesOf(metafile, 'src/console/start/main.tsx');
  const [style] = filesOf(metafile, 'src/console/style/console.css');
  const later = filesOf(metafile, 'src/console/activity/activity-screen.tsx');
  const activity = later.filter((name) => name !== main && !chunks.includes(name));
  return { main, chunks, style, activity };
}

/** The file that was made of an entry point, and those that it imports; none when there is no such. */
function filesOf({ outputs }, entryPoint) {
  const made = Object.keys(outputs).find((path) => outputs[path].entryPoint === entryPoint);
  const found = new Set(made === undefined ? [] : [made]);
  for (const path of found) {
    for (const { path: needed, kind } of outputs[path].imports) {
      if (kind === 'import-statement') found.add(needed);
    }
  }
  return Array.from(found, (path) => basename(path));
}

/** Fails when these files, compressed, are too large together. */
function checkSize(folder, { what, names, bytesMax }) {
  const bytes = names
    .map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length)
    .reduce((sum, length) => sum + length, 0);
  if (bytes <= bytesMax) return;
  throw new Error(
    `${what} of the console has ${bytes} bytes compressed; at most ${bytesMax} are allowed.`,
  );
}

/** Puts a .br and a .gz beside each file of the console, for the package. */
export function compressConsole({ folder }) {
  for (const name of readdirSync(folder).filter((file) => /\.(js|css|html)$/.test(file))) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}
