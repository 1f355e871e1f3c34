import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
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

const lineLimit = 160;

/** What both programs are built with. */
const common = {
  bundle: true,
  platform: 'node',
  minifySyntax: true,
  // What is smaller is read sooner. Names and lines stay, for those who look for a failure's place.
  minifyWhitespace: true,
  lineLimit,
  legalComments: 'none',
  logLevel: 'warning',
};
// The package's build for Node is CommonJS that requires built-ins; this one is plain modules.
const yaml = pathOf('node_modules/yaml/browser/index.js');
const VAULTDOOR_VERSION = JSON.stringify(version);

/**
 * Bundles the program into one file. Native SQLite, ripgrep and the library for thumbnails stay
 * outside and are found beside the bundle; with `sqlite: 'builtin'` the first is left out, and Node
 * must have its own. Without ripgrep, `rg` on PATH takes its place. The file is CommonJS. Answers what
 * the names of what V8 keeps of it begin with.
 */
export function bundle({ outfile, sqlite = 'beside' }) {
  return writeProgram(outfile, {
    entry: 'src/cli/main.ts',
    first: ['run-process', 'run', 'stdio-command', 'greet-client'],
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

/**
 * Bundles the daemon into one file that needs nothing beside it, nor an extension to its name.
 */
export function bundleDaemon({ outfile }) {
  return writeProgram(outfile, {
    entry: 'src/cli/daemon-main.ts',
    first: ['run-process'],
    what: 'daemon',
    oldest: [22, 13],
    target: 'node22.13',
    alias: { yaml, [nativeSqlite]: pathOf('scripts/daemon/builtin-sqlite.mjs') },
    external: [ripgrep],
    plugins: [embedWasm()],
  });
}

/**
 * A program behind what launches it, in two comments: V8 does not compile what it may have kept. The
 * first has what every start needs, with the modules named `first`.
 */
async function writeProgram(outfile, { entry, first, what, oldest, ...options }) {
  const { chunks, main } = await chunksOf(entry, options);
  const starting = startingChunks(chunks, [entry, ...first.map((name) => `src/cli/${name}.ts`)]);
  const parts = [true, false].map((isFirst) =>
    asText(chunks.filter(({ name }) => starting.has(name) === isFirst)),
  );
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
  return id;
}

/**
 * The program in pieces, so that a thread compiles only those that it comes to need: what `import()`
 * names, and what several of these share. Each is the text of a function of CommonJS.
 */
async function chunksOf(entry, { plugins = [], ...options }) {
  const { outputFiles, metafile } = await build({
    ...common,
    ...options,
    entryPoints: [pathOf(entry)],
    absWorkingDir: pathOf('.'),
    outdir: pathOf('dist'),
    format: 'esm',
    splitting: true,
    // Whoever compiles text has to say what `import()` does in it.
    supported: { 'dynamic-import': false },
    write: false,
    metafile: true,
    define: { VAULTDOOR_VERSION, VAULTDOOR_FILE: '__filename' },
    plugins: [onlyEnglish, ...plugins],
  });
  const outputs = Object.entries(metafile.outputs);
  const chunks = outputs.map(([file, { entryPoint, imports }]) => {
    const name = nameOf(file);
    const { text } = outputFiles.find(({ path }) => nameOf(path) === name);
    const needs = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    return { name, entryPoint, code: asBody(text), needs: needs.map(({ path }) => nameOf(path)) };
  });
  return { chunks, main: chunks.find(({ entryPoint }) => entryPoint === entry).name };
}

const importing =
  /(?<=^|[;}])\s*import\s*(?:([\w$]+|\*\s*as\s*[\w$]+|\{[^}]*\})\s*from\s*)?("(?:node:|\.\/)[^"]+");?/g;
const exporting = /\bexport\s*(?:\{([^}]*)\}|default\s+([\w$]+\(\)));?\s*$/;
const isModule = /\b__esm\b|(^|[;}])\s*(import|export)\s*[{"*]|\bexport\s+default\b/;

/**
 * A module as esbuild writes a chunk, as the body of a function that answers what it exports. Values
 * are handed on, not bindings, as nothing that a chunk exports changes once it has run: reading them
 * then costs what it costs in one file.
 */
function asBody(text) {
  const [exports = '', names = '', only] = exporting.exec(text) ?? [];
  const body = text
    .slice(0, text.length - exports.length)
    .replace(importing, (_, bound = '', from) => {
      const to = bound.replace(/^\*\s*as\s*/, '').replace(/\s+as\s+/g, ':');
      return to === '' ? `require(${from});` : `var ${to}=require(${from});`;
    });
  if (isModule.test(body)) throw new Error('esbuild writes chunks as this does not know them.');
  const properties = names.replace(/([\w$]+)\s+as\s+([\w$]+)/g, '$2:$1');
  // A chunk that is a module of CommonJS is asked for as such.
  return `"use strict";${body};return ${only ?? `{${properties}}`}`;
}

/** As one chunk names another. */
function nameOf(file) {
  return `./${basename(file)}`;
}

/** Those that are made of these modules, and what these import. */
function startingChunks(chunks, entryPoints) {
  const found = new Set();
  const add = ({ name, needs }) => {
    if (found.has(name)) return;
    found.add(name);
    for (const needed of needs) add(chunks.find((chunk) => chunk.name === needed));
  };
  for (const entryPoint of entryPoints) {
    add(chunks.find((chunk) => chunk.entryPoint === entryPoint));
  }
  return found;
}

/** The text of an object of functions. */
function asText(chunks) {
  const functions = chunks.map(
    ({ name, code }) => `${JSON.stringify(name)}:function(require,__filename){${code}}`,
  );
  return inAscii(`({${functions.join(',\n')}})`);
}

/**
 * A text of nothing but ASCII is half as large in memory. esbuild has escaped what strings have beyond
 * it, but not what regular expressions have: there, an escape means the same.
 */
function inAscii(text) {
  const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\u0080-\uffff]/g, escaped);
}
