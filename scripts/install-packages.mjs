// `node scripts/install-packages.mjs name@version …`: prints where each is installed, as JSON, and
// the program of a Node that those need which want a newer one. Benches use it, which are
// TypeScript: they run bundled, and could not say where the repository is.
import process from 'node:process';
import { installed, newerNode } from './outside-programs.mjs';

const modules = {};
for (const wanted of process.argv.slice(2)) {
  const at = wanted.lastIndexOf('@');
  modules[wanted] = await installed(wanted.slice(0, at), wanted.slice(at + 1));
}
process.stdout.write(`${JSON.stringify({ modules, newerNode: await newerNode() })}\n`);
