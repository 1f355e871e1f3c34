import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { chunksOf, inAscii } from './chunks.mjs';
import { embedWasm } from './embed-wasm.mjs';
import { packagesIn } from './release/packages-in.mjs';

const root = new URL('../', import.meta.url);
const pathOf = (file) => fileURLToPath(new URL(file, root));

/** The version of the program. */
export const { version } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));

const nativeSqlite = '@photostructure/sqlite';
const ripgrep = '@vscode/ripgrep';
const photon = '@silvia-odwyer/photon-node';

/** An esbuild plugin that leaves out zod's error messages in forty languages other than English. */
const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** An esbuild plugin that leaves the library for PDFs in a file of its own beside the program. */
const pdfBeside = {
  name: 'pdf-beside',
  setup(build) {
    build.onResolve({ filter: /[\\/]pdf-library\.ts$/ }, () => ({
      path: './pdf-library.cjs',
      external: true,
    }));
  },
};

// The package "yaml" has a CommonJS build for Node, which requires built-in modules. Its browser
// build consists of plain ES modules, which esbuild can bundle better.
const yaml = pathOf('node_modules/yaml/browser/index.js');
const VAULTDOOR_VERSION = JSON.stringify(version);

/**
 * Bundles the program into one CommonJS file. Native SQLite, ripgrep and the library for thumbnails
 * stay in node_modules next to the bundle. With `sqlite: 'builtin'`, native SQLite is not needed,
 * but Node must have its own. If the ripgrep package is missing, the program uses `rg` on the PATH.
 * Returns the id with which the file names of V8's code caches for this bundle begin, and the folders
 * of the packages that are in it.
 */
export function bundle({ outfile, sqlite = 'beside' }) {
  return writeProgram(outfile, {
    entry: 'src/cli/start/main.ts',
    first: [
      'start/run-process',
      'start/run',
      'commands/stdio-command',
      'servers/greet-client',
      'attach/ask-server',
    ],
    what: 'program',
    oldest: [20, 0],
    target: 'node20',
    alias: {
      yaml,
      ...(sqlite === 'builtin' ? { [nativeSqlite]: pathOf('scripts/mcpb/no-sqlite.mjs') } : {}),
    },
    external: ['node:sqlite', ripgrep, photon, ...(sqlite === 'builtin' ? [] : [nativeSqlite])],
  });
}

/** Bundles the daemon into one file that needs no other files, and no extension in its name. */
export function bundleDaemon({ outfile }) {
  return writeProgram(outfile, {
    entry: 'src/cli/start/daemon-main.ts',
    first: ['start/run-process'],
    what: 'daemon',
    oldest: [22, 13],
    target: 'node22.13',
    alias: { yaml, [nativeSqlite]: pathOf('scripts/daemon/builtin-sqlite.mjs') },
    external: [ripgrep],
    plugins: [embedWasm()],
  });
}

/**
 * Bundles the library that reads PDFs into one CommonJS file, for the folder of the program. Returns the
 * folders of the packages that are in it.
 */
export async function bundlePdfLibrary({ outfile }) {
  const { metafile } = await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    preserveSymlinks: true,
    absWorkingDir: pathOf('.'),
    entryPoints: [pathOf('src/node/pdf/pdf-library.ts')],
    outfile,
    metafile: true,
    define: { 'import.meta.url': '__moduleUrl', VAULTDOOR_CMAPS: JSON.stringify(packCMaps()) },
    banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  return { packages: packagesIn(metafile) };
}

/**
 * The tables of characters that PDFs may name without having them inside, as `pdf-cmaps.ts` unpacks
 * them. Those for UTF-8 and UTF-32 are left out: the standard (ISO 32000, "Predefined CMaps") has none.
 */
function packCMaps() {
  const folder = pathOf('node_modules/pdfjs-dist/cmaps/');
  const files = readdirSync(folder).filter((file) => /(?<!-UTF(?:8|32)-[HV])\.bcmap$/.test(file));
  const tables = files.sort().map((file) => readFileSync(`${folder}${file}`));
  const lengths = files.map((file, at) => [file.replace('.bcmap', ''), tables[at].length]);
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(lengths)}\n`), ...tables]);
  return brotliCompressSync(all).toString('base64');
}

/**
 * Writes a program as one file: the launcher (`launch.cjs`), followed by the program's text in two
 * comments. V8 does not compile comments, so the launcher can compile each part when it is needed
 * and use the code cache of an earlier run. The first comment has the chunks that every start
 * needs: the entry point and the modules named in `first`. Returns the id of the program, and the
 * folders of the packages that are in it.
 */
async function writeProgram(outfile, { entry, first, what, oldest, plugins = [], ...options }) {
  const { chunks, main, packages } = await chunksOf(entry, {
    ...options,
    absWorkingDir: pathOf('.'),
    define: {
      VAULTDOOR_VERSION,
      VAULTDOOR_FILE: '__filename',
      VAULTDOOR_CACHE: '__cache',
      VAULTDOOR_THREADS: '__threads',
    },
    plugins: [onlyEnglish, pdfBeside, ...plugins],
  });
  const starting = startingChunks(chunks, [entry, ...first.map((name) => `src/cli/${name}.ts`)]);
  const ofThreads = startingChunks(chunks, [entry, runThread], { isDeep: true });
  const parts = [true, false].map((isFirst) =>
    asText(
      chunks.filter(({ name }) => starting.has(name) === isFirst),
      ofThreads,
    ),
  );
  for (const text of parts) checkCompiles(text);
  const id = createHash('sha256').update(parts.join()).digest('hex').slice(0, 16);
  const launch = `#!/usr/bin/env node\n${readFileSync(pathOf('scripts/launch/launch.cjs'), 'utf8')}`;
  const line = launch.split('\n').length - 2;
  const lines = [line, line + parts[0].split('\n').length - 1];
  const head = launch.replace('PROGRAM', () => JSON.stringify({ id, main, what, oldest, lines }));
  const comments = parts.map((text) => `()=>{/*${text.replaceAll('*/', '*\x01/')}*/}`);
  writeFileSync(
    outfile,
    head.replace('PARTS', () => comments.join(',')),
  );
  chmodSync(outfile, 0o755);
  return { id, packages };
}

/**
 * The names of the chunks for these entry points, and of all chunks that they import. With `isDeep`
 * also of those that all but the first of them load later, with `import()`.
 */
function startingChunks(chunks, entryPoints, { isDeep = false } = {}) {
  const found = new Set();
  const add = ({ name, needs, later, entryPoint }) => {
    if (found.has(name)) return;
    found.add(name);
    const isFollowed = isDeep && entryPoint !== entryPoints[0];
    for (const needed of [...needs, ...(isFollowed ? later : [])]) {
      add(chunks.find((chunk) => chunk.name === needed));
    }
  };
  for (const entryPoint of entryPoints) {
    add(chunks.find((chunk) => chunk.entryPoint === entryPoint));
  }
  return found;
}

/**
 * The source text of an object that has one function for each chunk. Those that threads need come
 * first; the launcher finds the end of these by the mark.
 */
function asText(chunks, ofThreads) {
  const textOf = (some) =>
    some
      .map(
        ({ name, code }) =>
          `${JSON.stringify(name)}:function(require,__filename,__cache,__threads){${code}},\n`,
      )
      .join('');
  const isOfThreads = ({ name }) => ofThreads.has(name);
  const others = chunks.filter((chunk) => !isOfThreads(chunk));
  const text = inAscii(`({${textOf(chunks.filter(isOfThreads))}${mark}${textOf(others)}})`);
  if (text.split(mark).length !== 2) throw new Error('The program contains the mark itself.');
  return text;
}

/** Ends the chunks that threads need. */
const mark = '//\x02\n';

/** The module that a thread loads; what it imports, at once or later, is what threads need. */
const runThread = 'src/cli/start/run-thread.ts';

/** Throws if V8 cannot compile the text, or if the text could not be restored from its comment. */
function checkCompiles(text) {
  new Script(text);
  if (text.includes('*\x01/'))
    throw new Error('The program contains the escaped form of the sign that ends a comment.');
}
