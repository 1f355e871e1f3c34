// `node scripts/install-packages.mjs name@version …` installs packages and prints JSON: where each
// of them is installed, and the path of a newer Node for packages that need one. Benchmarks run
// this as a separate process, because they run as bundles and do not know where the repository is.
import process from 'node:process';
import { installed, newerNode } from './outside-programs.mjs';

const modules = {};
for (const wanted of process.argv.slice(2)) {
  const at = wanted.lastIndexOf('@');
  modules[wanted] = await installed(wanted.slice(0, at), wanted.slice(at + 1));
}
process.stdout.write(`${JSON.stringify({ modules, newerNode: await newerNode() })}\n`);
