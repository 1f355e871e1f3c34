// `npm run release` makes everything that a release consists of, in release/: the package for npm, the
// bundle for Claude Desktop, the daemon as a single file, a list of all packages in them (SBOM), and
// checksums. It publishes nothing: at the end it prints what a maintainer runs. The same commit, Node
// and npm make the same bytes.
//
// Options: `--tag v1.2.3`, the tag that is released; `--only-package [folder]` makes the package alone,
// from the files as they are.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { version } from './bundle.mjs';
import { repository, run } from './outside-programs.mjs';
import { makeSbom } from './release/make-sbom.mjs';
import { packPackage } from './release/pack-package.mjs';
import { refuseUnready } from './release/refuse-unready.mjs';

/**
 * The address of the public repository, such as `https://github.com/owner/name`. The package names it
 * (`repository`, `homepage`, `bugs`), and the buttons in its README need it. While it is empty, all of
 * them are left out.
 */
const repositoryUrl = '';

const [option, given] = process.argv.slice(2);
try {
  if (option === '--only-package') {
    const to = resolve(given ?? join(repository, 'release'));
    await build();
    process.stdout.write(`${await packPackage({ to, repositoryUrl })}\n`);
  } else if (option === undefined || (option === '--tag' && given !== undefined)) {
    await release({ tag: given });
  } else {
    throw new Error('Usage: npm run release [-- --tag v1.2.3 | --only-package [folder]]');
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function release({ tag }) {
  const { committed, notes } = await refuseUnready({ version, tag });
  const to = join(repository, 'release');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  await build();
  const tarball = await packPackage({ to, repositoryUrl });
  await node('make-mcpb.mjs');
  for (const name of ['vaultdoor.mcpb', 'vaultdoor-daemon.js']) {
    copyFileSync(join(repository, 'dist', name), join(to, name));
  }
  const names = [basename(tarball), 'vaultdoor.mcpb', 'vaultdoor-daemon.js'];
  const files = names.map((name) => ({ name, sha256: sha256(join(to, name)) }));
  const sbom = `vaultdoor-${version}.cdx.json`;
  const list = makeSbom({ files, committed, repositoryUrl });
  writeFileSync(join(to, sbom), `${JSON.stringify(list, undefined, 2)}\n`);
  const all = [...files, { name: sbom, sha256: sha256(join(to, sbom)) }];
  const sums = all.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  writeFileSync(join(to, 'SHA256SUMS'), sums);
  for (const { name } of all) {
    const bytes = statSync(join(to, name)).size.toLocaleString('en');
    process.stdout.write(`release/${name}: ${bytes} bytes\n`);
  }
  process.stdout.write(`\n${sums}\n${nextSteps({ tarball: basename(tarball), notes })}`);
}

function build() {
  return node('build.mjs', '--compress');
}

async function node(script, ...args) {
  const file = join(repository, 'scripts', script);
  const { code, stderr } = await run(process.execPath, [file, ...args], { timeout: 600_000 });
  if (code !== 0) throw new Error(`scripts/${script} failed (${code}):\n${stderr}`);
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function nextSteps({ tarball, notes }) {
  const open = repositoryUrl === '' ? '  repositoryUrl in scripts/release.mjs is empty.\n' : '';
  return `Nothing was published. What is left for a maintainer:
${open}${notes}
  git tag -s v${version} && git push origin v${version}   # .github/workflows/release.yml then makes the release
  npm publish release/${tarball} --access public
`;
}
