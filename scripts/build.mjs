// `npm run build` writes three files into dist/: the program, the library with which it reads PDFs, and
// the daemon as a file that can be copied to another machine; and into dist/console/ the owner's web page, which `--compress` puts
// there compressed as well, with the views that MCP clients show. Two things are for this machine
// alone: V8's code cache of the program for this version of Node (see `launch.cjs`), and packages.json,
// which says for the list of a release which packages are in which file.
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundle, bundleDaemon, bundlePdfLibrary } from './bundle.mjs';
import { bundleApps } from './bundle-apps.mjs';
import { bundleConsole, compressConsole } from './bundle-console.mjs';
import { warmUp } from './launch/warm-up.mjs';

const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

mkdirSync(dist(''), { recursive: true });
// The built files are CommonJS, which starts faster. The package.json of the repository says
// "module".
writeFileSync(dist('package.json'), '{ "type": "commonjs" }\n');
const [program, daemon, pdf, [page, apps]] = await Promise.all([
  bundle({ outfile: dist('vaultdoor.js') }),
  bundleDaemon({ outfile: dist('vaultdoor-daemon.js') }),
  bundlePdfLibrary({ outfile: dist('pdf-library.cjs') }),
  bundleConsole({ folder: dist('console') }).then(async (packages) => [
    packages,
    await bundleApps({ folder: dist('console/apps') }),
  ]),
]);
const packages = {
  'vaultdoor.js': program.packages,
  'vaultdoor-daemon.js': daemon.packages,
  'pdf-library.cjs': pdf.packages,
  console: [...new Set([...page, ...apps])].sort(),
};
writeFileSync(dist('packages.json'), `${JSON.stringify(packages, undefined, 2)}\n`);
if (process.argv.includes('--compress')) compressConsole({ folder: dist('console') });
await warmUp({ program: dist('vaultdoor.js'), id: program.id, folder: dist('code-cache') });
// A person who has typed `npm run build` is told what comes next. Scripts call it with --silent.
const { npm_lifecycle_event: event, npm_config_loglevel: level } = process.env;
if (event === 'build' && level !== 'silent') {
  process.stdout.write(
    'Built dist/vaultdoor.js. Next: npx vaultdoor setup, or for a server: npx vaultdoor setup --server\n',
  );
}
