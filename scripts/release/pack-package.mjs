import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository, run } from '../outside-programs.mjs';
import { bundledPackages, licenceTexts } from './bundled-packages.mjs';
import { repositoryFields, withButtons } from './repository-links.mjs';

/**
 * Packs the built program for npm, and returns the path of the tarball in the folder `to`. What the
 * tarball has differs from the checkout in three files. Its package.json can be published (that of the
 * checkout is private), has no scripts, and depends only on the packages that are not inside of the
 * program, which are optional. Its README.md and package.json name the repository, if there is a
 * `repositoryUrl`. And it has the licences of the packages that are inside of the program. The checkout
 * stays as it is. The same commit makes the same bytes.
 */
export async function packPackage({ to, repositoryUrl }) {
  const folder = join(to, 'package');
  rmSync(folder, { recursive: true, force: true });
  for (const path of await packedFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(repository, path), join(folder, path));
  }
  const manifest = packedManifest(repositoryUrl);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const { version } = manifest;
  writeFileSync(join(folder, 'README.md'), withButtons(readme, { repositoryUrl, version }));
  writeFileSync(join(folder, 'dist', licencesFile), licenceTexts(bundledPackages()));
  const [{ filename }] = await npmPack(['--pack-destination', to], folder);
  rmSync(folder, { recursive: true, force: true });
  return join(to, filename);
}

const licencesFile = 'licenses.txt';

/**
 * The paths of the files that npm packs. Fails if one of them is neither built nor in git: it would be
 * in this release and not in the next.
 */
async function packedFiles() {
  const [{ files }] = await npmPack(['--dry-run'], repository);
  const paths = files.map(({ path }) => path);
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { code, stdout } = await run('git', listed, { cwd: repository });
  if (code !== 0) return paths; // In a Docker build there is no git, and only files that were in git.
  const known = new Set(stdout.split('\0'));
  const strangers = paths.filter((path) => !path.startsWith('dist/') && !known.has(path));
  if (strangers.length === 0) return paths;
  throw new Error(
    `These files would be packed, but are not in git; remove them:\n  ${strangers.join('\n  ')}`,
  );
}

/** Runs `npm pack` in a folder, and returns what it says about the tarball. */
async function npmPack(options, folder) {
  const words = ['pack', '--json', '--ignore-scripts', ...options];
  const { code, stdout, stderr } = await run('npm', words, { cwd: folder });
  if (code !== 0) throw new Error(`npm pack failed (${code}):\n${stderr}`);
  return JSON.parse(stdout);
}

/** The package.json of the tarball. Fails if a file or package would be missing where it is installed. */
function packedManifest(repositoryUrl) {
  const text = readFileSync(join(repository, 'package.json'), 'utf8');
  const { dependencies, files, ...rest } = JSON.parse(text);
  const absent = files.filter((path) => !existsSync(join(repository, path)));
  if (absent.length > 0) throw new Error(`package.json lists files that are not there: ${absent}`);
  const inside = new Set(bundledPackages().map(({ name }) => name));
  const missing = Object.keys(dependencies).filter((name) => !inside.has(name));
  if (missing.length > 0) {
    throw new Error(
      `Only packages that the build puts into the program may be dependencies; these it leaves out, so they must be optionalDependencies: ${missing.join(', ')}`,
    );
  }
  for (const field of ['private', 'scripts', 'devDependencies', 'overrides']) delete rest[field];
  return { ...rest, ...repositoryFields(repositoryUrl), files: [...files, `dist/${licencesFile}`] };
}
