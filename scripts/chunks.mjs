import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { packagesIn } from './release/packages-in.mjs';

/** The options of esbuild that all programs share. */
const common = {
  bundle: true,
  platform: 'node',
  // esbuild writes the paths of some modules into the bundle. Where node_modules is a symbolic link,
  // they would otherwise name the folder that it leads to.
  preserveSymlinks: true,
  minifySyntax: true,
  // A smaller file is read faster. Names and line breaks stay, so that stack traces are readable.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * Cuts a program into chunks, so that a thread compiles only the chunks that it needs. There is one
 * chunk for each module that `import()` names, and one for what several of them share. Each chunk
 * is the text of a CommonJS function. Fails if a chunk would not do the same as a function as it
 * does as a module. Also returns the folders of the packages that are in the chunks.
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
    // The launcher compiles the chunks itself, and `import()` does not work in such code.
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
      const later = imports
        .filter(({ kind, external }) => kind === 'require-call' && !external)
        .map(({ path }) => nameOf(path));
      return { name, entryPoint, code, needs, later };
    },
  );
  refuseCycles(chunks);
  const main = chunks.find(({ entryPoint }) => entryPoint === entry).name;
  return { chunks, main, packages: packagesIn(metafile) };
}

const importing =
  /(?<=^|[;}])\s*import\s*(?:([\w$]+|\*\s*as\s*[\w$]+|\{[^}]*\})\s*from\s*)?"((?:node:|\.\/)[^"]+)";?/g;
const exporting = /\bexport\s*(?:\{([^}]*)\}|default\s+([\w$]+\(\)));?\s*$/;
const isModule = /\b__esm\b|(^|[;}])\s*(import|export)\s*[{"*]|\bexport\s+default\b/;

/**
 * Turns a chunk, which esbuild writes as a module, into the body of a function that returns the
 * chunk's exports. Importers get the values themselves instead of live bindings, so that reading
 * them is as fast as in a single file. `told` has the imports and exports that esbuild reports for
 * the chunk. Fails if the imports and exports found in the text differ from `told` (for example
 * because a string in the program looks like an import), or if an exported variable is assigned
 * again, which importers would not see.
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
    throw new Error(
      'This script does not understand the form in which esbuild has written a chunk.',
    );
  }
  for (const { local } of pairs) refuseAssigned(body, local);
  const properties = pairs.map(({ local, outer }) => `${outer}:${local}`);
  // A chunk that wraps a CommonJS module returns what that module exports.
  return `"use strict";${body};return ${only ?? `{${properties.join(',')}}`}`;
}

function isSame(some, others) {
  return [...some].sort().join('\n') === [...others].sort().join('\n');
}

/**
 * Fails if a variable is assigned anywhere but in its declaration. This check does not know scopes:
 * it also fails if a function has another variable of the same name. In that case, rename one of
 * them.
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
    `"${name}" is exported and assigned again: other chunks of the program would not see the new value.`,
  );
}

/** The name by which one chunk imports another. */
function nameOf(file) {
  return `./${basename(file)}`;
}

/**
 * Fails if chunks import each other in a circle: their functions would call each other for ever.
 */
function refuseCycles(chunks) {
  const done = new Set();
  const visit = (name, above) => {
    if (above.includes(name)) throw new Error(`Chunks import each other: ${above.join(' ')}`);
    if (done.has(name)) return;
    const { needs } = chunks.find((chunk) => chunk.name === name);
    for (const needed of needs) visit(needed, [...above, name]);
    done.add(name);
  };
  for (const { name } of chunks) visit(name, []);
}

/**
 * Escapes all characters beyond ASCII, because V8 needs half the memory for a text of ASCII only.
 * esbuild has already escaped such characters in strings, but not in regular expressions, where an
 * escape has the same meaning. Fails if an escape would have another meaning: after a backslash,
 * and in `String.raw`.
 */
export function inAscii(text) {
  if (/(?<!\\)(?:\\\\)*\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(text)) {
    throw new Error(
      'The program has a character beyond ASCII where an escape means something else.',
    );
  }
  const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\u0080-\uffff]/g, escaped);
}
