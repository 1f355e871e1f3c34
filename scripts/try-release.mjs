// `node scripts/try-release.mjs <node_modules>`: runs the package that is installed there, with the Node
// that runs this script, as its users do. It needs no package but that one, on every system.
import { resolve } from 'node:path';
import process from 'node:process';
import { temporaryHome } from './outside-programs.mjs';
import { tryPackage } from './release/try-package.mjs';

const [modules] = process.argv.slice(2);
if (modules === undefined) throw new Error('Usage: node scripts/try-release.mjs <node_modules>');
const { home, env } = temporaryHome('release');
// Programs on Windows need more of the environment than a PATH.
const all = { ...process.env, ...env };
await tryPackage({
  node: process.execPath,
  modules: resolve(modules),
  isWhole: true,
  home,
  env: all,
});
