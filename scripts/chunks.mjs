import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** What programs are built with. */
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

/**
 * A program in pieces, so that a thread compiles only those that it comes to need: what `import()`
 * names, and what several of these share. Each is the text of a function of CommonJS. Fails where
 * the pieces would not do as functions what they do as modules.
 */
export async function chunksOf(entry, options) {
  const { absWorkingDir } = options;
  const { outputFiles, metafile } = await build({
    ...common,
    ...options,
    entryPoints: [join(absWorkingDir, entry)],
    outdir: join(absWorkingDir, 'dist'),
    format: 'esm',
    splitting: true,
    // Whoever compiles text has to say what `import()` does in it.
    supported: { 'dynamic-import': false },
    write: false,
    metafile: true,
  });
  const chunks = Object.entries(metafile.outputs).map(
    ([file, { entryPoint, imports, exports }]) => {
      const name = nameOf(file);
      const { text } = outputFiles.find(({ path }) => nameOf(path) === name);
      const statements = imports.filter(({ kind }) => kind === 'import-statement');
      const needs = statements.filter(({ external }) => !external).map(({ path }) => nameOf(path));
      const outside = statements.filter(({ external }) => external).map(({ path }) => path);
      const code = asBody(text, { imports: [...needs, ...outside], exports });
      return { name, entryPoint, code, needs };
    },
  );
  refuseCycles(chunks);
  return { chunks, main: chunks.find(({ entryPoint }) => entryPoint === entry).name };
}

const importing =
  /(?<=^|[;}])\s*import\s*(?:([\w$]+|\*\s*as\s*[\w$]+|\{[^}]*\})\s*from\s*)?"((?:node:|\.\/)[^"]+)";?/g;
const exporting = /\bexport\s*(?:\{([^}]*)\}|default\s+([\w$]+\(\)));?\s*$/;
const isModule = /\b__esm\b|(^|[;}])\s*(import|export)\s*[{"*]|\bexport\s+default\b/;

/**
 * A module as esbuild writes a chunk, as the body of a function that answers what it exports. Values
 * are handed on, not bindings: reading them then costs what it costs in one file. `told` is what
 * esbuild itself says that the module imports and exports. Fails where it is not that which is found
 * here, as it would be if a text in the program looked like an import, and where what is exported is
 * assigned to again, which no importer would see.
 */
export function asBody(text, told) {
  const [exports = '', names = '', only] = exporting.exec(text) ?? [];
  const imported = [];
  const body = text
    .slice(0, text.length - exports.length)
    .replace(importing, (_, bound = '', from) => {
      imported.push(from);
      const to = bound.replace(/^\*\s*as\s*/, '').replace(/\s+as\s+/g, ':');
      return to === '' ? `require("${from}");` : `var ${to}=require("${from}");`;
    });
  const pairs = names.split(',').flatMap((each) => {
    const [local = '', outer = local] = each.trim().split(/\s+as\s+/);
    return local === '' ? [] : [{ local, outer }];
  });
  const exported = only === undefined ? pairs.map(({ outer }) => outer) : ['default'];
  if (isModule.test(body) || !isSame(imported, told.imports) || !isSame(exported, told.exports)) {
    throw new Error('esbuild writes chunks as this does not know them.');
  }
  for (const { local } of pairs) refuseAssigned(body, local);
  const properties = pairs.map(({ local, outer }) => `${outer}:${local}`);
  // A chunk that is a module of CommonJS is asked for as such.
  return `"use strict";${body};return ${only ?? `{${properties.join(',')}}`}`;
}

function isSame(some, others) {
  return [...some].sort().join('\n') === [...others].sort().join('\n');
}

/**
 * Fails where a name is assigned to but where it is declared. It does not know scopes: something
 * else of this name in a function fails, too, and is then to be called otherwise.
 */
function refuseAssigned(body, name) {
  const word = name.replaceAll('$', '\\$');
  const assigned = new RegExp(
    `(?<![\\w$.])${word}\\s*(?:=(?![=>])|(?:[-+*/%&|^]|\\*\\*|<<|>>>?|\\?\\?|\\|\\||&&)=|\\+\\+|--)|(?:\\+\\+|--)${word}(?![\\w$])`,
    'g',
  );
  const [first, second] = [...body.matchAll(assigned)];
  const isDeclared =
    first !== undefined && /(?:\b(?:var|let|const)\s+|,\s*)$/.test(body.slice(0, first.index));
  if (first === undefined || (isDeclared && second === undefined)) return;
  throw new Error(
    `"${name}" is exported and assigned to again: other pieces of the program would not see it.`,
  );
}

/** As one chunk names another. */
function nameOf(file) {
  return `./${basename(file)}`;
}

/** A function that needs itself, by way of others, would call itself for ever. */
function refuseCycles(chunks) {
  const done = new Set();
  const visit = (name, above) => {
    if (above.includes(name)) throw new Error(`Chunks need each other: ${above.join(' ')}`);
    if (done.has(name)) return;
    const { needs } = chunks.find((chunk) => chunk.name === name);
    for (const needed of needs) visit(needed, [...above, name]);
    done.add(name);
  };
  for (const { name } of chunks) visit(name, []);
}

/**
 * A text of nothing but ASCII is half as large in memory. esbuild has escaped what strings have beyond
 * it, but not what regular expressions have: there, an escape means the same. Fails where it does not:
 * behind a backslash, and in a template whose text is taken as it is written.
 */
export function inAscii(text) {
  if (/(?<!\\)(?:\\\\)*\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(text)) {
    throw new Error('The program has a sign beyond ASCII where an escape means something else.');
  }
  const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\u0080-\uffff]/g, escaped);
}
